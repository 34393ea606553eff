#if Valkey
    import Synchronization

    /// Shows other nodes that this one is connected to the engine, by subscribing to a channel of its own that carries
    /// no messages.
    ///
    /// The engine ends the subscription with the connection, so the leases of a terminated process can be taken over
    /// before they expire.
    final class Presence: Sendable {
        /// The common prefix of all nodes' channels.
        let channelPrefix: String

        /// This node's channel.
        var channel: String { channelPrefix + id }

        /// The identifier of this node, unique in the fleet, of letters and digits only.
        private let id = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        private let isRequested = Atomic(false)

        init(_ configuration: ValkeyConfiguration) {
            // Databases share their channels.
            channelPrefix = "\(configuration.prefix)\(configuration.database):node:"
        }

        /// Returns a token for a new lease. It names this node once the engine has confirmed the subscription, which
        /// the first call requests.
        func newToken(over link: ValkeyLink) -> String {
            if !isRequested.exchange(true, ordering: .relaxed) {
                let listener = Subscriptions.Listener(outlivesSessions: true, onMessage: { _ in })
                _ = link.subscriptions.add(listener, to: channel, over: link, within: .seconds(5))
            }
            let random = (0..<2).map { _ in String(UInt64.random(in: 0...UInt64.max), radix: 36) }
            let node = link.subscriptions.isActive(channel) ? "\(id)." : ""
            return node + random.joined(separator: "-")
        }
    }
#endif
