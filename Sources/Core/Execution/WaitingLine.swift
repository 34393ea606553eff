/// A line of waiters, each with an identifier: the more urgent first, and among equals in the given order.
///
/// None waits forever: after 15 others in a row, it is the turn of the oldest, whatever its priority. A group at its limit
/// is skipped, so it does not hold up others. Each change but a displacement takes logarithmic time.
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

    private struct Entry {
        let waiter: Waiter
        let group: String?
    }

    /// The number of waiters that overtake the oldest one in a row.
    private static var overtakingLimit: Int { 15 }

    /// The number of waiters of one group that may run at once. Waiters without a group are not limited.
    var groupLimit: Int? {
        didSet { for group in byRank.groupNames { update(group) } }
    }

    /// The order among waiters of equal priority.
    var order: LoadOrder {
        didSet { if order != oldValue { mirror() } }
    }

    private let ranksByID: Bool
    private var entries: [Int: Entry] = [:]
    private var byRank = WaitingIndex<Rank>()
    private var byAge = WaitingIndex<Int>()
    private var runningCounts: [String: Int] = [:]
    private var lastPosition = 0
    private var overtakingCount = 0

    /// Creates an empty line in `order` of arrival; with `ranksByID`, in the order of the identifiers, which a change
    /// of the priority does not affect.
    init(order: LoadOrder = .firstInFirstOut, ranksByID: Bool = false) {
        self.order = order
        self.ranksByID = ranksByID
    }

    /// The number of waiters.
    var count: Int { entries.count }

    /// Returns the number of waiters of `group`; 0 if it is `nil`.
    func count(in group: String?) -> Int { group.map(byAge.count) ?? 0 }

    /// Whether any waiter may go.
    var isReady: Bool { byAge.first != nil }

    /// The waiter whose turn it is.
    var first: First? {
        guard let id = isTurnOfOldest ? byAge.first : byRank.first, let entry = entries[id],
            let rank = byRank[id, entry.group]
        else { return nil }
        return (id, entry.waiter, rank.priority)
    }

    private var isTurnOfOldest: Bool { overtakingCount >= Self.overtakingLimit }

    /// The waiter with an identifier, if it is still in line.
    subscript(id: Int) -> Waiter? { entries[id]?.waiter }

    /// Adds `waiter` as the newest arrival. The smaller its `id`, the older it is.
    mutating func join(_ waiter: Waiter, id: Int, priority: LoadPriority, group: String? = nil) {
        entries[id] = Entry(waiter: waiter, group: group)
        byAge[id, group] = id
        byRank[id, group] = newRank(for: id, priority: priority)
        update(group)
    }

    /// Changes the priority of the waiter `id`, if it is still in line.
    ///
    /// A waiter that is raised counts as the newest arrival, because it is wanted now. One that is lowered goes behind
    /// all others of its new priority.
    mutating func move(_ id: Int, to priority: LoadPriority) {
        guard let entry = entries[id], let old = byRank[id, entry.group], old.priority != priority else { return }
        let isRaised = priority.rawValue > old.priority.rawValue
        let rank = isRaised ? newRank(for: id, priority: priority) : lastRank(for: id, priority: priority)
        byRank[id, entry.group] = rank
        update(entry.group)
    }

    /// Removes and returns the waiter `id`, if it is still in line.
    @discardableResult
    mutating func leave(_ id: Int) -> Waiter? {
        guard let entry = entries.removeValue(forKey: id) else { return nil }
        byAge[id, entry.group] = nil
        byRank[id, entry.group] = nil
        update(entry.group)
        return entry.waiter
    }

    /// Removes and returns the last waiter of `group`, or of all if it is `nil`, if it is less urgent than `priority`. It takes
    /// linear time.
    mutating func displaceLast(of group: String?, for priority: LoadPriority) -> Waiter? {
        guard let last = byRank.last(in: group), last.rank.priority.rawValue < priority.rawValue else { return nil }
        return leave(last.key)
    }

    /// Removes and returns all waiters, in the order of their identifiers.
    mutating func leaveAll() -> [Waiter] { entries.keys.sorted().compactMap { leave($0) } }

    /// Removes and returns the waiter whose turn it is. It counts as running in its group until `end(_:)`.
    mutating func next() -> First? {
        guard let first else { return nil }
        overtakingCount = first.id == byAge.first ? 0 : overtakingCount + 1
        if let group = entries[first.id]?.group { runningCounts[group, default: 0] += 1 }
        leave(first.id)
        return first
    }

    /// Returns whether a newcomer of `priority` may go before all waiters. If it does, `countOvertaking()` follows.
    func mayBeOvertaken(by priority: LoadPriority) -> Bool {
        guard let first else { return true }
        return !isTurnOfOldest && first.priority.rawValue < priority.rawValue
    }

    /// Records that a newcomer went before all waiters, if there are any.
    mutating func countOvertaking() { if isReady { overtakingCount += 1 } }

    /// Records that a job of `group` has ended.
    mutating func end(_ group: String?) {
        guard let group, let count = runningCounts[group] else { return }
        runningCounts[group] = count > 1 ? count - 1 : nil
        update(group)
    }

    private mutating func newRank(for id: Int, priority: LoadPriority) -> Rank {
        let rank = lastRank(for: id, priority: priority)
        return order == .firstInFirstOut ? rank : rank.mirrored
    }

    private mutating func lastRank(for id: Int, priority: LoadPriority) -> Rank {
        lastPosition += 1
        return Rank(priority: priority, position: ranksByID ? id : lastPosition)
    }

    /// Updates the indices after a change in `group`.
    private mutating func update(_ group: String?) {
        guard let group else { return }
        let isFull = runningCounts[group, default: 0] >= groupLimit ?? .max
        byAge.update(group, isFull: isFull)
        byRank.update(group, isFull: isFull)
    }

    private mutating func mirror() {
        byRank.changeRanks(\.mirrored)
        for group in byRank.groupNames { update(group) }
    }
}
