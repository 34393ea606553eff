#if Valkey
    /// The address of a Valkey or Redis server.
    public struct ValkeyAddress: Hashable, Sendable {
        /// The host name or IP address.
        public var host: String

        /// The TCP port.
        public var port: Int

        /// Creates an address.
        public init(host: String, port: Int = 6379) { (self.host, self.port) = (host, port) }
    }
#endif
