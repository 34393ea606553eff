import DarkroomCore
import Synchronization

/// A lease that this node holds: a key whose value is the token of its grant, which is also the key of its outcome.
final class MemcachedLease: WorkLease {
    private let server: MemcachedServer
    private let key: String
    private let token: String
    private let life: Duration
    /// Whether the lease may be in the cache.
    private let isTaken = Atomic(false)

    /// The time for which waiters can read the outcome.
    private static let outcomeLife = Duration.seconds(10)

    init(server: MemcachedServer, key: String, token: String, life: Duration) {
        (self.server, self.key, self.token, self.life) = (server, key, token, life)
    }

    /// Nobody uses the lease, for example because the request for it was cancelled.
    deinit {
        guard isTaken.load(ordering: .relaxed) else { return }
        Task { [server, key, token] in
            try? await server.remove(key, of: token, by: .now + .seconds(1))
        }
    }

    var renewalInterval: Duration { life / 3 }

    /// Returns whether no other node holds the lease, which this node holds then.
    func take(by end: ContinuousClock.Instant) async throws -> Bool {
        isTaken.store(true, ordering: .relaxed)
        let isAdded = try await server.add(token, as: key, life: life, by: end)
        isTaken.store(isAdded, ordering: .relaxed)
        return isAdded
    }

    func renew() async -> Bool {
        let isRenewed = await TierBudget(renewalInterval).result { [self] in
            let end = ContinuousClock.now + renewalInterval
            guard let value = try await server.value(of: key, by: end), value.text == token else { return false }
            return try await server.replace(value, with: token, as: key, life: life, by: end)
        }
        return isRenewed ?? true
    }

    func end(_ outcome: WorkOutcome) async {
        isTaken.store(false, ordering: .relaxed)
        // Not of this task, which may be cancelled.
        await Task { [self] in
            _ = await TierBudget(life).result { [self] in
                let end = ContinuousClock.now + life
                guard try await server.remove(key, of: token, by: end) else { return }
                try await server.set(outcome.rawValue, as: token, life: Self.outcomeLife, by: end)
            }
        }.value
    }
}

/// A lease that another node holds, which leaves its outcome in the cache, with its token as the key.
struct PolledLease: HeldLease {
    let server: MemcachedServer
    let token: String
    let interval: Duration
    let timeout: Duration

    func outcome(within limit: Duration) async -> WorkOutcome? {
        let end = ContinuousClock.now + limit
        while !Task.isCancelled {
            let answer = await TierBudget(timeout).result { [self] in
                // Both are alive if there is no answer: no news.
                try await server.value(of: token, by: .now + timeout)?.text ?? ""
            }
            guard let answer else { return nil }
            if let outcome = WorkOutcome(rawValue: answer) { return outcome }
            let pause = min(interval, end - .now)
            guard pause > .zero, (try? await Task.sleep(for: pause)) != nil else { return nil }
        }
        return nil
    }
}
