#if HTTP
    import AsyncHTTPClient
    import DarkroomCore
    import DarkroomPlatform
    import NIOCore
    import NIOSSL
    import Synchronization

    /// The connections of one loader and its transfers.
    ///
    /// Each checked address has an HTTP client of its own, because a client can resolve a name in one way only; all others share
    /// one. The clients share their threads.
    final class Connections: Sendable {
        /// A host and the address that its connections use, whatever its name resolves to.
        struct Pin: Hashable, Sendable {
            /// The host as written in the URL.
            let host: String
            /// The address to connect to.
            let address: IPAddress
        }

        private struct Entry {
            let pin: Pin?
            var client: OwnedClient
        }

        private struct State {
            /// The entries, most recently used last.
            var entries: [Entry] = []
            var isClosed = false
            /// The hosts that the client without a pin has served.
            var unpinnedHosts: Set<String> = []

            /// Removes and returns the least recently used idle client if there are at least `count` clients.
            mutating func dropIdle(atLeast count: Int) -> OwnedClient? {
                guard entries.count >= count,
                    let index = entries.indices.first(where: { isKnownUniquelyReferenced(&entries[$0].client) })
                else { return nil }
                return entries.remove(at: index).client
            }

            /// Removes and returns the client without a pin if `host` would be one too many for it: its connections to other hosts
            /// stay open for a minute after their last request, and each is an open file.
            mutating func dropUnpinned(before host: String) -> OwnedClient? {
                if unpinnedHosts.count < Connections.hostLimit || unpinnedHosts.contains(host) {
                    unpinnedHosts.insert(host)
                    return nil
                }
                unpinnedHosts = [host]
                return entries.firstIndex { $0.pin == nil }.map { entries.remove(at: $0).client }
            }
        }

        /// The number of clients that are kept while idle.
        private static let idleLimit = 32

        /// The number of hosts of a client.
        private static let hostLimit = 64

        /// Calls back at the deadlines of all transfers.
        let timer = DeadlineTimer()

        private let settings: HTTPClient.Configuration
        private let state = Mutex(State())

        init(_ settings: HTTPClient.Configuration) { self.settings = settings }

        /// Whether all connections have been closed, permanently.
        var isShutDown: Bool { state.withLock(\.isClosed) }

        /// Whether secure connections send a client certificate.
        var sendsClientCertificate: Bool { settings.tlsConfiguration?.certificateChain.isEmpty == false }

        /// Returns the address that is written as the host of `url`; `nil` for a name, and for an address that is
        /// overridden.
        func literalAddress(of url: URL) -> IPAddress? {
            url.host.flatMap { settings.dnsOverride[$0] == nil ? IPAddress($0) : nil }
        }

        /// Returns the client for `host` and `pin`. It is created on first use, so that a program that loads nothing over HTTP
        /// starts no threads for it.
        ///
        /// The caller must keep a reference to the returned object for as long as it uses the client.
        private func client(for host: String, through pin: Pin?) throws(ImageError) -> OwnedClient {
            // Dropping a client shuts it down, which must not happen while the lock is held.
            let (client, _, _) = try state.withLock { state throws(ImageError) in
                guard !state.isClosed else { throw Self.shutdownError }
                let full = pin == nil ? state.dropUnpinned(before: host) : nil
                let known = state.entries.firstIndex { $0.pin == pin }.map { state.entries.remove(at: $0) }
                let dropped = known == nil ? state.dropIdle(atLeast: Self.idleLimit) : nil
                let entry = known ?? Entry(pin: pin, client: OwnedClient(settings(for: pin)))
                state.entries.append(entry)
                return (entry.client, dropped, full)
            }
            return client
        }

        /// Sends `request`, and calls `isSent` once its head has been sent.
        func send(
            _ request: HTTPClient.Request, through pin: Pin?, isSent: @escaping @Sendable () -> Void
        ) throws(ImageError) -> HTTPExchange {
            let client = try client(for: request.host, through: pin)
            let exchange = HTTPExchange(request, over: client, timer: timer, isSent: isSent)
            // A client that was shut down in the meantime does not notify the receiver.
            if isShutDown { exchange.end(Self.shutdownError) }
            return exchange
        }

        /// Ends all requests and closes all connections, permanently.
        func shutdown() async {
            let clients = state.withLock { state in
                state.isClosed = true
                defer { state.entries = [] }
                return state.entries.map(\.client)
            }
            let ends = clients.map { _ in FirstValue<Void>() }
            // This fails only if the client has been shut down already.
            for (owned, end) in zip(clients, ends) { owned.client.shutdown { _ in end.offer(()) } }
            let call = waitLimit.map { limit in
                timer.schedule(at: .now() + limit) { for end in ends { end.offer(nil) } }
            }
            for end in ends { _ = await end.value }
            if let call { timer.cancel(call) }
        }

        /// The time for which a shutdown waits for connections to be closed; `nil` for any.
        ///
        /// Over HTTP/2, async-http-client waits without a limit for servers to introduce themselves, and provides no access
        /// to such connections. Everything else has a timeout.
        private var waitLimit: TimeAmount? {
            settings.httpVersion == .http1Only ? nil : settings.timeout.connect ?? .seconds(10)
        }

        private static let shutdownError = ImageError(.refused, .load, "the HTTP loader was shut down")

        private func settings(for pin: Pin?) -> HTTPClient.Configuration {
            guard let pin else { return settings }
            var settings = settings
            settings.dnsOverride = [pin.host: "\(pin.address)"]
            return settings
        }
    }

    /// An HTTP client that is shut down with its last reference.
    final class OwnedClient: Sendable {
        /// The client. Valid for as long as this object is referenced.
        let client: HTTPClient

        /// The event loop of its connections and its delegates. With the same loop for both, a response does not hop
        /// between threads.
        let eventLoop = HTTPClient.defaultEventLoopGroup.any()

        init(_ settings: HTTPClient.Configuration) { client = HTTPClient(configuration: settings) }

        // async-http-client requires that a client is shut down before it is deallocated.
        deinit { client.shutdown { _ in } }
    }
#endif
