#if Valkey
    import DarkroomCore

    /// A client of one Valkey or Redis server, for ``ValkeyLeases`` and ``ValkeyPurges``, which may share it.
    ///
    /// It connects on first use, sends all commands on one connection without waiting for replies in between, and connects
    /// again after a failure, at growing intervals of up to 5 s. Meanwhile calls fail immediately. An engine without RESP3
    /// needs a second connection for messages.
    public final class ValkeyClient: Sendable {
        /// The configuration.
        public let configuration: ValkeyConfiguration

        let link: ValkeyLink
        let presence: Presence

        /// Creates a client that is not connected.
        public init(_ configuration: ValkeyConfiguration) {
            self.configuration = configuration
            link = ValkeyLink(configuration)
            presence = Presence(configuration)
        }

        deinit { link.shutDown() }

        /// Closes the connection for good. This happens by itself when the client is no longer referenced.
        public func shutDown() { link.shutDown() }

        /// Returns the reply to `command`, which may be an error that the engine reports.
        ///
        /// - Throws: An error if there is none within `limit`.
        func reply(to command: RESPCommand, within limit: Duration) async throws(ImageError) -> RESPValue {
            let call = ValkeyCall(command, within: limit)
            link.submit(call)
            return try await call.value
        }
    }
#endif
