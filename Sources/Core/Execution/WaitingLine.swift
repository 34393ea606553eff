/// A line of waiters, each with an identifier: the more urgent first, and among equals in the given order.
///
/// A group at its limit is skipped, so it does not hold up others. Each change takes logarithmic time.
struct WaitingLine<Waiter> {
    /// The first waiter of a line.
    typealias First = (id: Int, waiter: Waiter, priority: LoadPriority)

    private struct Rank: Comparable {
        let priority: LoadPriority
        /// The position within a priority; smaller goes first.
        let position: Int

        static func < (left: Rank, right: Rank) -> Bool {
            (right.priority.rawValue, left.position) < (left.priority.rawValue, right.position)
        }

        var mirrored: Rank { Rank(priority: priority, position: -position) }
    }

    private struct Group {
        var runningCount = 0
        var waiting = RankedHeap<Int, Rank>()
    }

    private struct Entry {
        let waiter: Waiter
        let group: String?
    }

    /// The number of waiters of one group that may run at once. Waiters without a group are not limited.
    var groupLimit: Int? {
        didSet { for group in groups.keys { refresh(group) } }
    }

    /// The order among waiters of equal priority.
    var order: LoadOrder {
        didSet { if order != oldValue { mirror() } }
    }

    private let ranksByID: Bool
    private var entries: [Int: Entry] = [:]
    /// The waiters without a group. Many lines have no others.
    private var ungrouped = RankedHeap<Int, Rank>()
    private var groups: [String: Group] = [:]
    /// The groups below their limit that have a waiter, ranked by their first one.
    private var ready = RankedHeap<String, Rank>()
    private var lastPosition = 0

    /// Creates an empty line in `order` of arrival; with `ranksByID`, in the order of the identifiers, which a change
    /// of the priority does not affect.
    init(order: LoadOrder = .firstInFirstOut, ranksByID: Bool = false) {
        self.order = order
        self.ranksByID = ranksByID
    }

    /// The number of waiters.
    var count: Int { entries.count }

    /// Whether any waiter may go.
    var isReady: Bool { !ungrouped.isEmpty || !ready.isEmpty }

    /// The waiter whose turn it is.
    var first: First? {
        guard let (id, rank) = firstEntry else { return nil }
        return entries[id].map { (id, $0.waiter, rank.priority) }
    }

    private var firstEntry: RankedHeap<Int, Rank>.Entry? {
        guard let group = ready.first else { return ungrouped.first }
        if let first = ungrouped.first, first.rank < group.rank { return first }
        return groups[group.key]?.waiting.first
    }

    /// The waiter with an identifier, if it is still in line.
    subscript(id: Int) -> Waiter? { entries[id]?.waiter }

    /// Adds `waiter` as the newest arrival.
    mutating func join(_ waiter: Waiter, id: Int, priority: LoadPriority, group: String? = nil) {
        entries[id] = Entry(waiter: waiter, group: group)
        set(newRank(for: id, priority: priority), of: id, in: group)
    }

    /// Changes the priority of the waiter `id`, if it is still in line.
    ///
    /// A waiter that is raised counts as the newest arrival, because it is wanted now. One that is lowered goes behind
    /// all others of its new priority.
    mutating func move(_ id: Int, to priority: LoadPriority) {
        guard let entry = entries[id], let old = rank(of: id, in: entry.group), old.priority != priority
        else { return }
        let isRaised = priority.rawValue > old.priority.rawValue
        let rank = isRaised ? newRank(for: id, priority: priority) : lastRank(for: id, priority: priority)
        set(rank, of: id, in: entry.group)
    }

    /// Removes and returns the waiter `id`, if it is still in line.
    @discardableResult
    mutating func leave(_ id: Int) -> Waiter? {
        guard let entry = entries.removeValue(forKey: id) else { return nil }
        set(nil, of: id, in: entry.group)
        return entry.waiter
    }

    /// Removes and returns all waiters, in the order of their identifiers.
    mutating func leaveAll() -> [Waiter] { entries.keys.sorted().compactMap { leave($0) } }

    /// Removes and returns the waiter whose turn it is. It counts as running in its group until `end(_:)`.
    mutating func next() -> First? {
        guard let first else { return nil }
        if let group = entries[first.id]?.group { groups[group]?.runningCount += 1 }
        leave(first.id)
        return first
    }

    /// Records that a job of `group` has ended.
    mutating func end(_ group: String?) {
        guard let group else { return }
        groups[group]?.runningCount -= 1
        refresh(group)
    }

    private func rank(of id: Int, in group: String?) -> Rank? {
        guard let group else { return ungrouped[id] }
        return groups[group]?.waiting[id]
    }

    private mutating func set(_ rank: Rank?, of id: Int, in group: String?) {
        guard let group else { return ungrouped[id] = rank }
        groups[group, default: Group()].waiting[id] = rank
        refresh(group)
    }

    private mutating func newRank(for id: Int, priority: LoadPriority) -> Rank {
        let rank = lastRank(for: id, priority: priority)
        return order == .firstInFirstOut ? rank : rank.mirrored
    }

    private mutating func lastRank(for id: Int, priority: LoadPriority) -> Rank {
        lastPosition += 1
        return Rank(priority: priority, position: ranksByID ? id : lastPosition)
    }

    private mutating func refresh(_ name: String) {
        guard let group = groups[name] else { return }
        let isFull = group.runningCount >= groupLimit ?? .max
        ready[name] = isFull ? nil : group.waiting.first?.rank
        if group.runningCount == 0, group.waiting.isEmpty { groups[name] = nil }
    }

    private mutating func mirror() {
        ungrouped = ungrouped.mapRanks(\.mirrored)
        for name in Array(groups.keys) {
            guard let waiting = groups[name]?.waiting else { continue }
            groups[name]?.waiting = waiting.mapRanks(\.mirrored)
            refresh(name)
        }
    }
}
