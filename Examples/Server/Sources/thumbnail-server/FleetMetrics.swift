import CoreMetrics
import DarkroomFleet
import Synchronization

/// The metrics of the tier that several servers share.
final class FleetMetrics: Sendable {
    private let tier: SharedTier
    private let last = Mutex(SharedTierStatistics())
    private let hits = Counter(label: "fleet_reads", dimensions: [("result", "hit")])
    private let misses = Counter(label: "fleet_reads", dimensions: [("result", "miss")])
    private let mismatches = Counter(label: "fleet_reads", dimensions: [("result", "mismatch")])
    private let failedReads = Counter(label: "fleet_reads", dimensions: [("result", "failed")])
    private let stores = Counter(label: "fleet_writes", dimensions: [("result", "stored")])
    private let failedWrites = Counter(label: "fleet_writes", dimensions: [("result", "failed")])
    private let granted = Counter(label: "fleet_leases", dimensions: [("answer", "granted")])
    private let held = Counter(label: "fleet_leases", dimensions: [("answer", "held")])
    private let unknown = Counter(label: "fleet_leases", dimensions: [("answer", "unknown")])
    private let objectBreaker = Meter(label: "fleet_breaker_open", dimensions: [("engine", "objects")])
    private let writes = Meter(label: "fleet_breaker_open", dimensions: [("engine", "writes")])
    private let leaseBreaker = Meter(label: "fleet_breaker_open", dimensions: [("engine", "leases")])

    /// Creates the metrics of `tier`.
    init(_ tier: SharedTier) { self.tier = tier }

    /// Updates the metrics. Call it when they are read.
    func sample() {
        let new = tier.statistics
        let old = last.withLock { last in
            defer { last = new }
            return last
        }
        hits.increment(by: new.hits - old.hits)
        misses.increment(by: new.misses - old.misses)
        mismatches.increment(by: new.mismatches - old.mismatches)
        failedReads.increment(by: new.failedReads - old.failedReads)
        stores.increment(by: new.stores - old.stores)
        failedWrites.increment(by: new.failedWrites - old.failedWrites)
        granted.increment(by: new.leases.granted - old.leases.granted)
        held.increment(by: new.leases.held - old.leases.held)
        unknown.increment(by: new.leases.unknown - old.leases.unknown)
        objectBreaker.set(new.objectBreaker == .closed ? 0 : 1)
        writes.set(new.areWritesStalled ? 1 : 0)
        leaseBreaker.set(new.leaseBreaker == .closed ? 0 : 1)
    }
}
