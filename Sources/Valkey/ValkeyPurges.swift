#if Valkey
    public import DarkroomFleet

    /// A purge channel on a Valkey or Redis server.
    public struct ValkeyPurges: PurgeChannel {
        /// The client.
        public let client: ValkeyClient

        /// The maximum number of purges that wait to be read, beyond which the oldest ones are lost.
        private static let bufferCount = 4096

        /// Creates the channel of all nodes with the same prefix on the same engine.
        public init(_ client: ValkeyClient) { self.client = client }

        var channel: String { "\(client.configuration.prefix)\(client.configuration.database):purge" }

        /// Publishes `purge`.
        ///
        /// - Throws: An `ImageError` if the engine has not confirmed it within `deadline`.
        public func publish(_ purge: Purge, deadline: Duration) async throws {
            let command = RESPCommand("PUBLISH", channel, payload: purge.message)
            try await client.reply(to: command, within: deadline).checkError()
        }

        /// Returns the purges published since the engine has confirmed the subscription, which begins immediately.
        /// Those published while the connection is lost are missed.
        public func purges() -> AsyncStream<Purge> {
            let (stream, continuation) = AsyncStream.makeStream(
                of: Purge.self, bufferingPolicy: .bufferingNewest(Self.bufferCount))
            let link = client.link
            let listener = Subscriptions.Listener(
                outlivesSessions: true,
                onMessage: { payload in if let purge = Purge(message: payload) { continuation.yield(purge) } },
                onEnd: { continuation.finish() })
            let (id, _) = link.subscriptions.add(listener, to: channel, over: link, within: .seconds(5))
            // The client stays connected as long as somebody reads.
            continuation.onTermination = { [client, channel] _ in
                client.link.subscriptions.remove(id, from: channel, over: client.link)
            }
            return stream
        }
    }

    extension Purge {
        /// The message: a letter, and the bytes of the source.
        var message: [UInt8] {
            switch self {
            case .all: [UInt8(ascii: "a")]
            case .source(let source): [UInt8(ascii: "s")] + source.utf8
            }
        }

        /// Parses a message; `nil` if it is invalid.
        init?(message: [UInt8]) {
            switch message.first {
            case UInt8(ascii: "a") where message.count == 1: self = .all
            case UInt8(ascii: "s"):
                guard let source = String(validating: message.dropFirst(), as: UTF8.self) else { return nil }
                self = .source(source)
            default: return nil
            }
        }
    }
#endif
