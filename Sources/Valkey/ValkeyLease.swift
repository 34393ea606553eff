#if Valkey
    import DarkroomCore
    import Synchronization

    /// A lease held by this node, which is released if it is no longer referenced before its end.
    final class ValkeyLease: WorkLease {
        private let place: LeasePlace
        private let token: String
        private let isOver = Atomic(false)

        let mayBeDone: Bool

        init(_ place: LeasePlace, token: String, mayBeDone: Bool) {
            (self.place, self.token, self.mayBeDone) = (place, token, mayBeDone)
        }

        deinit {
            if !isOver.load(ordering: .relaxed) { place.release(token) }
        }

        var renewalInterval: Duration { place.life / 3 }

        func renew() async -> Bool {
            let reply = try? await LeaseScripts.renewal.run(
                keys: [place.key], arguments: [token, "\(place.life.milliseconds)"], on: place.client,
                within: renewalInterval)
            return reply != .integer(0)
        }

        func end(_ outcome: WorkOutcome) async {
            isOver.store(true, ordering: .relaxed)
            _ = try? await LeaseScripts.end.run(
                keys: [place.key, place.doneKey], arguments: place.endArguments(token, outcome), on: place.client,
                within: place.life)
        }
    }
#endif
