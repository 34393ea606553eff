#if Valkey
    /// A value of RESP, the protocol of Valkey and Redis, in version 2 or 3.
    enum RESPValue: Hashable, Sendable {
        /// A string of any kind, or the text of a floating-point or big number.
        case bytes([UInt8])
        /// An error reported by the engine.
        case error(String)
        case integer(Int64)
        case boolean(Bool)
        case null
        /// An array or a set.
        case array([RESPValue])
        /// The alternating keys and values of a map.
        case map([RESPValue])
        /// A message that does not answer a command.
        case push([RESPValue])

        /// The text of a string; `nil` for other values and for invalid UTF-8.
        var text: String? {
            guard case .bytes(let bytes) = self else { return nil }
            return String(validating: bytes, as: UTF8.self)
        }
    }

    /// A protocol violation, after which nothing else on the connection can be interpreted.
    struct RESPViolation: Error, Hashable {
        let message: String

        init(_ message: String) { self.message = message }
    }
#endif
