#if HTTP
    import AsyncHTTPClient
    import DarkroomCore
    import NIOCore
    import NIOSSL
    import Synchronization

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// The connections of one loader and of its transfers.
    ///
    /// Connections to an address that was checked are those of a client of its own, for a client has one way to resolve a
    /// name. They share the threads.
    final class Connections: Sendable {
        /// A host whose connections go to one address, whatever its name stands for.
        struct Pin: Hashable, Sendable {
            /// As the URL has it.
            let host: String
            /// Where it is.
            let address: IPAddress
        }

        private struct Entry {
            let pin: Pin?
            var client: OwnedClient
        }

        private struct State {
            /// The one used last is the last.
            var entries: [Entry] = []
            var isOver = false

            /// Takes out the client that nobody has used for longest, if there are so many.
            mutating func dropIdle(atLeast count: Int) -> OwnedClient? {
                guard entries.count >= count,
                    let index = entries.indices.first(where: { isKnownUniquelyReferenced(&entries[$0].client) })
                else { return nil }
                return entries.remove(at: index).client
            }
        }

        /// How many clients stay when nobody uses them.
        private static let idleLimit = 32

        /// Rings at the deadlines of all transfers.
        let alarm = Alarm()

        private let settings: HTTPClient.Configuration
        private let state = Mutex(State())

        init(_ settings: HTTPClient.Configuration) { self.settings = settings }

        /// Whether secure connections are made with a certificate that tells who asks.
        var identifyClient: Bool { settings.tlsConfiguration?.certificateChain.isEmpty == false }

        /// The address that the host of `url` is, when it is written as one and stands for no other.
        func literalAddress(of url: URL) -> IPAddress? {
            url.host.flatMap { settings.dnsOverride[$0] == nil ? IPAddress($0) : nil }
        }

        /// The client for `pin`; made when it is first needed, as who loads nothing over HTTP starts no threads for it.
        ///
        /// Whoever uses it keeps the object.
        func client(for pin: Pin?) throws(ImageError) -> OwnedClient {
            // What is dropped is shut down, and that is nothing to do under a lock.
            let (client, _) = try state.withLock { state throws(ImageError) in
                guard !state.isOver else { throw Self.isShutDown }
                let known = state.entries.firstIndex { $0.pin == pin }.map { state.entries.remove(at: $0) }
                let dropped = known == nil ? state.dropIdle(atLeast: Self.idleLimit) : nil
                let entry = known ?? Entry(pin: pin, client: OwnedClient(settings(for: pin)))
                state.entries.append(entry)
                return (entry.client, dropped)
            }
            return client
        }

        /// Sends `request`, and calls `isSent` when it goes out.
        func send(
            _ request: HTTPClient.Request, through pin: Pin?, isSent: @escaping @Sendable () -> Void
        ) throws(ImageError) -> Exchange {
            let exchange = Exchange(request, over: try client(for: pin), alarm, isSent: isSent)
            // A client that was shut down meanwhile says nothing to the receiver.
            if state.withLock(\.isOver) { exchange.end(Self.isShutDown) }
            return exchange
        }

        /// Ends all requests and connections, for good.
        func shutdown() async {
            let clients = state.withLock { state in
                state.isOver = true
                defer { state.entries = [] }
                return state.entries.map(\.client)
            }
            // It fails only when that has been done already.
            for owned in clients { try? await owned.client.shutdown() }
        }

        private static let isShutDown = ImageError(.refused, .load, "the HTTP loader was shut down")

        private func settings(for pin: Pin?) -> HTTPClient.Configuration {
            guard let pin else { return settings }
            var settings = settings
            settings.dnsOverride = [pin.host: "\(pin.address)"]
            return settings
        }
    }

    /// A client that is shut down when the last one who uses it is gone.
    final class OwnedClient: Sendable {
        /// For who keeps this object.
        let client: HTTPClient

        /// Where it has its connections and reports. With one for both, nothing of a response goes from thread to thread.
        let eventLoop = HTTPClient.defaultEventLoopGroup.any()

        init(_ settings: HTTPClient.Configuration) { client = HTTPClient(configuration: settings) }

        // A client must not go without having been shut down.
        deinit { client.shutdown { _ in } }
    }
#endif
