#if Valkey
    public import DarkroomCore

    /// A client of one Valkey or Redis server, which ``ValkeyLeases`` and ``ValkeyPurges`` may share.
    ///
    /// It connects on first use and pipelines all commands on one connection. After a failure it reconnects, at growing
    /// intervals of up to 5 s; meanwhile, calls fail immediately. An engine without RESP3 needs a second connection for
    /// messages.
    public final class ValkeyClient: Sendable {
        /// The configuration.
        public let configuration: ValkeyConfiguration

        let link: ValkeyLink
        let presence: Presence

        /// Creates a client, which is not connected yet.
        ///
        /// - Parameters:
        ///   - configuration: The address, the credentials and the limits of time.
        ///   - onFailure: Called on any thread with failed connections, subscriptions and requests for leases, at most once
        ///     per minute for each kind of error. Leases and streams of purges do not throw these errors.
        public init(_ configuration: ValkeyConfiguration, onFailure: (@Sendable (ImageError) -> Void)? = nil) {
            self.configuration = configuration
            link = ValkeyLink(configuration, failures: FailureReports(onFailure))
            presence = Presence(configuration)
        }

        deinit { link.shutDown() }

        /// Closes the connection for good, as happens when the client is no longer referenced.
        public func shutDown() { link.shutDown() }

        /// Returns the reply to `command`, which may be an error reported by the engine.
        ///
        /// - Throws: An error if no reply arrives within `limit`.
        func reply(to command: RESPCommand, within limit: Duration) async throws(ImageError) -> RESPValue {
            let call = ValkeyCall(command, within: limit)
            link.submit(call)
            return try await call.value
        }
    }
#endif
