/// The waiters of a line by rank, the smallest first. Groups that are full are skipped.
struct WaitingIndex<Rank: Comparable> {
    /// The waiters without a group. Many lines have no others.
    private var ungrouped = RankedHeap<Int, Rank>()
    private var groups: [String: RankedHeap<Int, Rank>] = [:]
    /// The groups that are not full and have a waiter, ranked by their first one.
    private var ready = RankedHeap<String, Rank>()

    /// The identifier of the first waiter.
    var first: Int? {
        guard let group = ready.first else { return ungrouped.first?.key }
        if let first = ungrouped.first, first.rank < group.rank { return first.key }
        return groups[group.key]?.first?.key
    }

    /// The groups that have a waiter.
    var groupNames: [String] { Array(groups.keys) }

    /// Returns the last waiter of `group`, or of all if it is `nil`, full groups included. It takes linear time.
    func last(in group: String?) -> (key: Int, rank: Rank)? {
        guard let group else { return ([ungrouped] + groups.values).compactMap(\.last).max { $0.rank < $1.rank } }
        return groups[group]?.last
    }

    /// Returns the number of waiters of `group`.
    func count(in group: String) -> Int { groups[group]?.count ?? 0 }

    /// The rank of the waiter `id`, which is in `group`; `nil` if there is none. A change is followed by
    /// `update(_:isFull:)`.
    subscript(id: Int, group: String?) -> Rank? {
        get {
            guard let group else { return ungrouped[id] }
            return groups[group]?[id]
        }
        set {
            guard let group else { return ungrouped[id] = newValue }
            groups[group, default: RankedHeap()][id] = newValue
        }
    }

    /// Skips `group` if it `isFull` or has no waiter.
    mutating func update(_ group: String, isFull: Bool) {
        ready[group] = isFull ? nil : groups[group]?.first?.rank
        if groups[group]?.isEmpty == true { groups[group] = nil }
    }

    /// Changes all ranks. An `update(_:isFull:)` of each group follows.
    mutating func changeRanks(_ change: (Rank) -> Rank) {
        ungrouped = ungrouped.mapRanks(change)
        groups = groups.mapValues { $0.mapRanks(change) }
    }
}
