/// Renews a lease of this node until the work is done, and then ends it.
final class LeaseKeeper: Sendable {
    /// The longest time for which a lease is renewed, so that work that hangs holds up the other nodes only so long.
    static let longestLease = Duration.seconds(120)

    private let lease: any WorkLease
    private let renewals: Task<Void, Never>

    /// Creates a keeper that renews `lease` from now on, at intervals measured with `clock`.
    init(_ lease: any WorkLease, clock: some Clock<Duration>) {
        self.lease = lease
        renewals = Task {
            let interval = max(lease.renewalInterval, .milliseconds(1))
            for _ in 0..<Int(saturating: Self.longestLease / interval) {
                guard (try? await clock.sleep(for: interval)) != nil, await lease.renew() else { return }
            }
        }
    }

    /// Ends the lease.
    func end(_ outcome: WorkOutcome) async {
        renewals.cancel()
        await lease.end(outcome)
    }
}
