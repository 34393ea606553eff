#if HTTP
    import AsyncHTTPClient
    import DarkroomCore
    import NIOCore
    import NIOHTTPCompression
    import NIOSSL
    import Synchronization

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

        private let settings: HTTPClient.Configuration
        private let watch: ConnectionWatch
        private let state = Mutex(State())

        init(_ settings: HTTPClient.Configuration, _ watch: ConnectionWatch) {
            self.settings = settings
            self.watch = watch
        }

        /// The client for `pin`; made when it is first needed, as who loads nothing over HTTP starts no threads for it.
        ///
        /// Whoever uses it keeps the object.
        func client(for pin: Pin?) throws(ImageError) -> OwnedClient {
            // What is dropped is shut down, and that is nothing to do under a lock.
            let (client, _) = try state.withLock { state throws(ImageError) in
                guard !state.isOver else { throw ImageError(.refused, .load, "the HTTP loader was shut down") }
                let known = state.entries.firstIndex { $0.pin == pin }.map { state.entries.remove(at: $0) }
                let dropped = known == nil ? state.dropIdle(atLeast: Self.idleLimit) : nil
                let entry = known ?? Entry(pin: pin, client: OwnedClient(settings(for: pin)))
                state.entries.append(entry)
                return (entry.client, dropped)
            }
            return client
        }

        /// Sends `message`, and tells `isConnected` when it goes out.
        func send(
            _ message: HTTPClientRequest, through pin: Pin?, isConnected: @escaping @Sendable () -> Void
        ) async throws -> (HTTPClientResponse, OwnedClient) {
            let owned = try client(for: pin)
            let response = try await watch.telling(isConnected, of: message) {
                try await owned.client.execute(message, deadline: .distantFuture)
            }
            return (response, owned)
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

        init(_ settings: HTTPClient.Configuration) { client = HTTPClient(configuration: settings) }

        // A client must not go without having been shut down.
        deinit { client.shutdown { _ in } }
    }
#endif
