#if Valkey
    import DarkroomCore
    import Synchronization

    /// A lease that this node holds. It is released if it is no longer referenced before its end.
    final class ValkeyLease: WorkLease {
        private let place: LeasePlace
        private let token: String
        private let isOver = Atomic(false)

        init(_ place: LeasePlace, token: String) { (self.place, self.token) = (place, token) }

        deinit {
            if !isOver.load(ordering: .relaxed) { place.release(token) }
        }

        var renewalInterval: Duration { place.life / 3 }

        func renew() async -> Bool {
            let reply = try? await LeaseScripts.renewal.run(
                key: place.key, arguments: [token, "\(place.life.milliseconds)"], on: place.client,
                within: renewalInterval)
            return reply != .integer(0)
        }

        func end(_ outcome: WorkOutcome) async {
            isOver.store(true, ordering: .relaxed)
            let arguments = [token, place.channel, "\(outcome.rawValue) \(token)"]
            _ = try? await LeaseScripts.end.run(
                key: place.key, arguments: arguments, on: place.client, within: place.life)
        }
    }
#endif
