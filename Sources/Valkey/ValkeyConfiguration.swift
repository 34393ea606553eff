#if Valkey
    public import DarkroomCore
    public import DarkroomPlatform

    /// The configuration of a ``ValkeyClient``, whose engine is a single Valkey or Redis server of version 6 or later.
    ///
    /// Clusters are neither supported nor needed, because the engine may lose everything at any time.
    public struct ValkeyConfiguration: Sendable {
        /// The address of the engine.
        public var address: ValkeyAddress

        /// The user name; `nil` for the engine's default user.
        public var username: String?

        /// The password; `nil` if the engine requires none.
        public var password: String?

        /// The number of the database. Channels are common to all databases.
        public var database = 0

        /// The name of the connections in the engine's client list; `nil` for none. It must not contain spaces.
        public var clientName: String?

        /// The TLS options; `nil` for unencrypted connections.
        public var tls: ValkeyTLS?

        /// The maximum time for establishing a connection.
        public var connectTimeout = Duration.seconds(2)

        /// The prefix of all keys and channels. Fleets that share an engine need different ones.
        public var prefix = "darkroom:"

        /// Whether to try RESP3, which needs only one connection, before RESP2.
        var prefersRESP3 = true

        /// Creates the configuration of an engine that requires neither a password nor TLS.
        public init(_ address: ValkeyAddress) { self.address = address }

        /// Creates the configuration in `url`, such as `rediss://user:password@example.com:6380/1`.
        ///
        /// The schemes are `redis` and `valkey`, or `rediss` and `valkeys` for TLS. The path is the number of the
        /// database. User and password may be percent-encoded.
        ///
        /// - Throws: An error of kind `invalidURL`, whose message contains no password.
        public init(url: URL) throws(ImageError) {
            guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
                throw Self.invalid("it cannot be parsed")
            }
            guard let host = parts.host, !host.isEmpty else { throw Self.invalid("it has no host") }
            let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
            self.init(ValkeyAddress(host: isBracketed ? String(host.dropFirst().dropLast()) : host))
            if let port = parts.port {
                guard (1...65_535).contains(port) else { throw Self.invalid("its port is out of range") }
                address.port = port
            }
            switch parts.scheme?.lowercased() {
            case "redis", "valkey": break
            case "rediss", "valkeys": tls = ValkeyTLS()
            default: throw Self.invalid("its scheme is none of redis, rediss, valkey and valkeys")
            }
            username = parts.user.flatMap { $0.isEmpty ? nil : $0 }
            password = parts.password.flatMap { $0.isEmpty ? nil : $0 }
            database = try Self.database(parts.path)
        }

        private static func database(_ path: String) throws(ImageError) -> Int {
            let text = path.hasPrefix("/") ? path.dropFirst() : path[...]
            if text.isEmpty { return 0 }
            guard let number = Int(text), number >= 0 else { throw invalid("its path is not the number of a database") }
            return number
        }

        private static func invalid(_ reason: String) -> ImageError {
            ImageError(.invalidURL, .request, "the URL of a Valkey engine is invalid: \(reason)")
        }
    }

    extension ValkeyConfiguration: CustomStringConvertible {
        /// The address and the database, without the password.
        public var description: String { "\(address.host):\(address.port)/\(database)" }
    }
#endif
