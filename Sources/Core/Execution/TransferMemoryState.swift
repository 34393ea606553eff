/// The memory that transfers have reserved, and the transfer that may exceed their share.
///
/// Together they take at most half of a budget. One transfer at a time, the leader, may exceed that, so that one always
/// completes. A new leader is appointed only after the work on all completed transfers, which needs no transfer.
struct TransferMemoryState {
    private(set) var byteCount = 0
    private var finishedCount = 0
    private var leader: Int?

    /// Returns whether `id` is the leader. If there is none and no completed transfer holds memory, it becomes the
    /// leader if it `isNext`.
    mutating func lead(_ id: Int, isNext: Bool) -> Bool {
        if leader == nil, finishedCount == 0, isNext { leader = id }
        return leader == id
    }

    mutating func take(_ byteCount: Int) { self.byteCount = self.byteCount.adding(byteCount) }

    /// Marks the transfer `id` as complete.
    mutating func finish(_ id: Int) {
        finishedCount += 1
        if leader == id { leader = nil }
    }

    /// Ends the lead of `id`, if it has it, before it is complete.
    mutating func resign(_ id: Int) { if leader == id { leader = nil } }

    /// Releases the `byteCount` bytes of `id`. `isFinished` states whether it was marked as complete.
    mutating func release(_ byteCount: Int, of id: Int, isFinished: Bool) {
        self.byteCount -= byteCount
        if isFinished { finishedCount -= 1 }
        resign(id)
    }
}
