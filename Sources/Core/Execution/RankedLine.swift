/// Those who wait, each by an identifier: the more urgent first, and among equals the one with the smallest identifier.
struct RankedLine<Waiter> {
    private struct Rank: Comparable {
        let priority: LoadPriority
        let id: Int

        static func < (left: Rank, right: Rank) -> Bool {
            (right.priority.rawValue, left.id) < (left.priority.rawValue, right.id)
        }
    }

    private var waiters: [Int: Waiter] = [:]
    private var ranks = RankedHeap<Int, Rank>()

    var count: Int { waiters.count }

    /// The one at the head, and its priority.
    var first: (id: Int, waiter: Waiter, priority: LoadPriority)? {
        ranks.first.flatMap { entry in waiters[entry.key].map { (entry.key, $0, entry.rank.priority) } }
    }

    /// Puts `waiter` in as `id`.
    mutating func join(_ id: Int, _ waiter: Waiter, _ priority: LoadPriority) {
        waiters[id] = waiter
        ranks[id] = Rank(priority: priority, id: id)
    }

    /// Puts the one that is `id` where `priority` belongs, if it still waits.
    mutating func move(_ id: Int, to priority: LoadPriority) {
        if waiters[id] != nil { ranks[id] = Rank(priority: priority, id: id) }
    }

    /// The one that is `id`.
    subscript(id: Int) -> Waiter? { waiters[id] }

    /// Takes out the one that is `id`.
    mutating func leave(_ id: Int) -> Waiter? {
        ranks[id] = nil
        return waiters.removeValue(forKey: id)
    }
}
