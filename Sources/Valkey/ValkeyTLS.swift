#if Valkey
    public import DarkroomPlatform
    import NIOCore
    import NIOSSL

    /// The TLS options of connections to an engine.
    public struct ValkeyTLS: Sendable {
        /// The certificates of trusted authorities, in PEM form; `nil` for those of the system.
        public var trustRoots: Data?

        /// The name that the engine's certificate must have; `nil` for the host of its address.
        public var serverName: String?

        /// Creates options that trust `trustRoots` to identify `serverName`.
        public init(trustRoots: Data? = nil, serverName: String? = nil) {
            (self.trustRoots, self.serverName) = (trustRoots, serverName)
        }

        /// Returns the handler of a new connection to `host`.
        func handler(host: String) throws -> NIOSSLClientHandler {
            var settings = TLSConfiguration.makeClientConfiguration()
            if let trustRoots {
                settings.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes([UInt8](trustRoots)))
            }
            let name = serverName ?? host
            // An address is not a valid name for SNI; the certificate is compared with the address of the peer then.
            let isAddress = (try? SocketAddress(ipAddress: name, port: 0)) != nil
            return try NIOSSLClientHandler(
                context: NIOSSLContext(configuration: settings), serverHostname: isAddress ? nil : name)
        }
    }
#endif
