/// The memory that bytes on their way take, and which transfers wait for more of it.
///
/// Together they take half of a budget at most. One transfer at a time, the leader, may go beyond that, so that there is always
/// one that comes to its end; and it waits until everything that has come was worked off, which needs no transfer.
struct TransferMemoryState {
    private(set) var byteCount = 0
    private var finishedCount = 0
    private var leader: Int?

    /// Whether `id` is the leader. If there is none, and nothing that has come is yet to be worked off, it becomes that one if
    /// it `isNext`.
    mutating func lead(_ id: Int, isNext: Bool) -> Bool {
        if leader == nil, finishedCount == 0, isNext { leader = id }
        return leader == id
    }

    mutating func take(_ byteCount: Int) { self.byteCount = self.byteCount.adding(byteCount) }

    /// Notes that all bytes of `id` have come.
    mutating func finish(_ id: Int) {
        finishedCount += 1
        if leader == id { leader = nil }
    }

    /// Gives back the `byteCount` bytes of `id`, which had come to its end or not.
    mutating func giveBack(_ byteCount: Int, of id: Int, isFinished: Bool) {
        self.byteCount -= byteCount
        if isFinished { finishedCount -= 1 }
        if leader == id { leader = nil }
    }
}
