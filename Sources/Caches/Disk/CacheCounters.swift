import Synchronization

/// The statistics of a cache since it was opened.
final class CacheCounters: Sendable {
    let hits = Atomic(0)
    let misses = Atomic(0)
    let evictions = Atomic(0)
    let failures = Atomic(0)
}

extension Atomic<Int> {
    /// Adds `count`.
    func increment(by count: Int = 1) { add(count, ordering: .relaxed) }

    /// The current value.
    var value: Int { load(ordering: .relaxed) }
}
