import Synchronization

/// How often things happened to a cache since it was opened.
final class UseCounts: Sendable {
    let hits = Atomic(0)
    let misses = Atomic(0)
    let evictions = Atomic(0)
    let failures = Atomic(0)
}

extension Atomic<Int> {
    /// Counts one more, or `count` more.
    func count(_ count: Int = 1) { add(count, ordering: .relaxed) }

    /// The number at this moment.
    var value: Int { load(ordering: .relaxed) }
}
