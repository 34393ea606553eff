#if Valkey
    /// A value of RESP, the protocol of Valkey and Redis, in version 2 or 3.
    enum RESPValue: Hashable, Sendable {
        /// A string of any kind, or the text of a floating-point or big number.
        case bytes([UInt8])
        /// An error that the engine reports.
        case error(String)
        case integer(Int64)
        case boolean(Bool)
        case null
        /// An array or a set.
        case array([RESPValue])
        /// The keys and values of a map, in turn.
        case map([RESPValue])
        /// A message that is no reply to a command.
        case push([RESPValue])

        /// The text of a string; `nil` for other values, and if it is not valid UTF-8.
        var text: String? {
            guard case .bytes(let bytes) = self else { return nil }
            return String(validating: bytes, as: UTF8.self)
        }
    }

    /// A violation of the protocol, after which nothing else on the connection can be understood.
    struct RESPViolation: Error, Hashable {
        let message: String

        init(_ message: String) { self.message = message }
    }
#endif
