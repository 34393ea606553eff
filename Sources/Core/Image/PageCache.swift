/// A run of pages. Their contents are undefined and may be the pixels of other bitmaps.
@safe struct PageRun {
    private(set) var start: UnsafeMutableRawPointer
    private(set) var byteCount: Int

    /// The time since which they have not been used.
    var returned = ContinuousClock.now

    /// Whether the system may reclaim them.
    var isReclaimable = false

    /// Creates a run of `byteCount` bytes from `start` on.
    init(start: UnsafeMutableRawPointer, byteCount: Int) {
        unsafe self.start = start
        self.byteCount = byteCount
    }

    private var end: UnsafeMutableRawPointer { unsafe start + byteCount }

    /// Whether `other` follows immediately.
    func isFollowed(by other: PageRun) -> Bool { unsafe end == other.start }

    /// Removes and returns the pages from `offset` on.
    mutating func removeTail(from offset: Int) -> PageRun {
        var tail = self
        unsafe tail.start = start + offset
        tail.byteCount = byteCount - offset
        byteCount = offset
        return tail
    }

    /// Returns both runs as one, of which `other` is the second part.
    func joined(with other: PageRun) -> PageRun {
        var joined = self
        joined.byteCount += other.byteCount
        joined.returned = max(returned, other.returned)
        joined.isReclaimable = isReclaimable && other.isReclaimable
        return joined
    }
}

/// Pages to be reused. Runs that are adjacent are joined, and divided as needed, so that pages serve for any size.
// Sendable despite its pointers: no others to these pages exist.
struct PageCache: @unchecked Sendable {
    /// The runs: those that the system may reclaim, and then the others, the oldest first.
    private(set) var runs: [PageRun] = []

    /// The sum of all runs.
    private(set) var byteCount = 0

    /// Whether a call is scheduled that makes unused pages reclaimable.
    var isScheduled = false

    /// Whether the system may not reclaim some of the pages.
    var hasUnreclaimable: Bool { runs.last?.isReclaimable == false }

    /// Returns whether the caller is to schedule such a call, which counts as scheduled from now on.
    mutating func beginSchedule() -> Bool {
        guard !isScheduled, hasUnreclaimable else { return false }
        isScheduled = true
        return true
    }

    /// Adds a run.
    mutating func add(_ run: PageRun) {
        byteCount += run.byteCount
        var run = run
        for index in runs.indices.reversed() {
            if runs[index].isFollowed(by: run) {
                run = runs.remove(at: index).joined(with: run)
            } else if run.isFollowed(by: runs[index]) {
                run = run.joined(with: runs.remove(at: index))
            }
        }
        runs.insert(run, at: run.isReclaimable ? 0 : runs.count)
    }

    /// Removes and returns `count` bytes of the smallest run that has as many.
    mutating func remove(_ count: Int) -> PageRun? {
        var smallest: Int?
        for index in runs.indices where runs[index].byteCount >= count {
            if let smallest, runs[smallest].byteCount <= runs[index].byteCount { continue }
            smallest = index
        }
        guard let index = smallest else { return nil }
        byteCount -= count
        var run = runs[index]
        if run.byteCount == count {
            runs.remove(at: index)
        } else {
            runs[index] = run.removeTail(from: count)
        }
        return run
    }

    /// Removes and returns the pages that are not reclaimable, and have not been used since `time`.
    mutating func removeUnused(since time: ContinuousClock.Instant) -> [PageRun] {
        let isUnused = { (run: PageRun) in !run.isReclaimable && run.returned <= time }
        let unused = runs.filter(isUnused)
        runs.removeAll(where: isUnused)
        byteCount -= unused.reduce(0) { $0 + $1.byteCount }
        return unused
    }

    /// Removes and returns the oldest pages in excess of `limit` bytes.
    mutating func removeSurplus(beyond limit: Int) -> [PageRun] {
        var surplus: [PageRun] = []
        while byteCount > limit {
            let excess = byteCount - limit
            let isPart = runs[0].byteCount > excess
            let removed = isPart ? runs[0].removeTail(from: runs[0].byteCount - excess) : runs.removeFirst()
            byteCount -= removed.byteCount
            surplus.append(removed)
        }
        return surplus
    }
}
