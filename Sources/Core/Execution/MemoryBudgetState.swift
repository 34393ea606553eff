/// The reservations of a `MemoryBudget`, and its lines of waiters.
struct MemoryBudgetState {
    struct Waiter {
        let byteCount: Int
        let continuation: CheckedContinuation<Void, any Error>
        let urgency: Urgency
        let watch: Urgency.Watch
    }

    /// A line of waiters.
    enum Queue: Int, CaseIterable {
        case work, results, transfers
    }

    /// The purpose of a reservation.
    enum Purpose: Sendable {
        /// Work that ends by itself, such as decoding.
        case work
        /// The making of results of images that stay reserved meanwhile. It ends without any more memory.
        case result
        /// Previews, which continue for as long as a transfer does.
        case preview
    }

    enum Verdict: Equatable {
        case reserved
        /// Tenants must release this many bytes first.
        case shortBy(Int)
        case mustWait
    }

    var byteLimit: Int
    var transfers = TransferMemoryState()
    private var lines = [WaitingLine<Waiter>](repeating: .init(ranksByID: true), count: Queue.allCases.count)
    private(set) var workByteCount = 0
    private(set) var resultByteCount = 0
    private(set) var previewByteCount = 0
    private var lastID = 0

    init(byteLimit: Int) { self.byteLimit = byteLimit }

    var reservedByteCount: Int {
        workByteCount.adding(resultByteCount).adding(previewByteCount).adding(transfers.byteCount)
    }

    var waitingCount: Int { lines.reduce(0) { $0 + $1.count } }

    subscript(queue: Queue) -> WaitingLine<Waiter> {
        get { lines[queue.rawValue] }
        set { lines[queue.rawValue] = newValue }
    }

    mutating func makeID() -> Int {
        lastID += 1
        return lastID
    }

    /// Reserves `byteCount` bytes if there is room beside the `held` ones. `isLastTry` states that tenants cannot
    /// release more.
    ///
    /// One piece of work may always proceed, whatever transfers and results have reserved: they may themselves wait for memory.
    /// In the same way, one result may proceed beside any work.
    mutating func take(_ byteCount: Int, for purpose: Purpose, held: Int, isLastTry: Bool) -> Verdict {
        let isAlone = purpose == .work && workByteCount == 0 || purpose == .result && resultByteCount == 0
        let reserved = reservedByteCount.adding(byteCount)
        let wanted = reserved.adding(held)
        // A sum that overflows fits into no budget, however large.
        let limit = min(byteLimit, Int.max - 1)
        guard wanted <= limit || isAlone && isLastTry else {
            return !isLastTry && (isAlone || reserved <= limit) ? .shortBy(wanted.subtracting(limit)) : .mustWait
        }
        switch purpose {
        case .work: workByteCount += byteCount
        case .result: resultByteCount += byteCount
        case .preview: previewByteCount += byteCount
        }
        return .reserved
    }

    /// Adds `waiter` to the line unless its task is cancelled, and returns whether it did.
    ///
    /// `isCancelled` is called only once: a task cancelled between two calls would have a waiter in line and be reported
    /// as cancelled, so its continuation would be resumed twice.
    mutating func enqueue(_ waiter: Waiter, as id: Int, in queue: Queue, unless isCancelled: () -> Bool) -> Bool {
        guard !isCancelled() else { return false }
        self[queue].join(waiter, id: id, priority: waiter.urgency.priority)
        return true
    }

    mutating func release(_ byteCount: Int, of purpose: Purpose) {
        switch purpose {
        case .work: workByteCount -= byteCount
        case .result: resultByteCount -= byteCount
        case .preview: previewByteCount -= byteCount
        }
    }

    /// Reserves `byteCount` more bytes for the transfer `id` under the same conditions.
    mutating func grow(_ id: Int, by byteCount: Int, held: Int, isLastTry: Bool) -> Verdict {
        let reserved = reservedByteCount.adding(byteCount)
        let isAllowed = transfers.byteCount.adding(byteCount) <= byteLimit / 2 && reserved <= byteLimit
        let wanted = reserved.adding(held)
        // Only the leader overtakes the waiters.
        let isNext = self[.transfers].first.map { $0.id == id } ?? true
        if isAllowed, isNext, wanted > byteLimit, !isLastTry { return .shortBy(wanted.subtracting(byteLimit)) }
        guard isNext && isAllowed && wanted <= byteLimit || transfers.lead(id, isNext: isNext) else { return .mustWait }
        transfers.take(byteCount)
        return .reserved
    }
}
