/// What a `MemoryBudget` has given away, and who waits for more.
struct MemoryBudgetState {
    struct Waiter {
        let byteCount: Int
        let continuation: CheckedContinuation<MemoryBudget.Reservation, any Error>
        let urgency: Urgency
        let watch: Urgency.Watch
    }

    enum Verdict: Equatable {
        case taken
        /// Tenants must give back so many bytes first.
        case short(Int)
        case mustWait
    }

    private struct Rank: Comparable {
        let priority: LoadPriority
        let place: Int

        static func < (left: Rank, right: Rank) -> Bool {
            (right.priority.rawValue, left.place) < (left.priority.rawValue, right.place)
        }
    }

    var byteLimit: Int
    var reservedByteCount = 0
    private var waiters: [Int: Waiter] = [:]
    private var line = RankedHeap<Int, Rank>()
    private var lastID = 0

    init(byteLimit: Int) { self.byteLimit = byteLimit }

    var waitingCount: Int { waiters.count }

    /// The one at the head.
    var first: Waiter? { line.first.flatMap { waiters[$0.key] } }

    /// Takes `byteCount` bytes if there is room beside the `held` ones. `isLast` says that tenants can give back no more.
    mutating func take(_ byteCount: Int, held: Int, isLast: Bool) -> Verdict {
        let isAlone = reservedByteCount == 0
        let (reserved, overflow) = reservedByteCount.addingReportingOverflow(byteCount)
        guard !overflow else { return .mustWait }
        let wanted = reserved.adding(held)
        guard wanted <= byteLimit || isAlone && isLast else {
            return !isLast && (isAlone || reserved <= byteLimit) ? .short(wanted.subtracting(byteLimit)) : .mustWait
        }
        reservedByteCount = reserved
        return .taken
    }

    /// Whether somebody waits who is as urgent as `priority`, or more.
    func hasWaiter(atLeast priority: LoadPriority) -> Bool {
        line.first.map { $0.rank.priority.rawValue >= priority.rawValue } ?? false
    }

    mutating func makeID() -> Int {
        lastID += 1
        return lastID
    }

    mutating func append(_ waiter: Waiter, _ id: Int) {
        waiters[id] = waiter
        line[id] = Rank(priority: waiter.urgency.priority, place: id)
    }

    /// Puts the waiter where its urgency now belongs, if it still waits.
    mutating func move(_ id: Int) {
        guard let waiter = waiters[id] else { return }
        line[id] = Rank(priority: waiter.urgency.priority, place: id)
    }

    mutating func remove(_ id: Int) -> Waiter? {
        line[id] = nil
        return waiters.removeValue(forKey: id)
    }

    mutating func removeFirst() -> Waiter? { line.first.flatMap { remove($0.key) } }
}
