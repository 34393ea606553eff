/// A line of waiting jobs: the more urgent first, and among equals in the given order.
///
/// A group at its limit is skipped, so it does not hold up others. Each change takes logarithmic time.
struct WaitingLine {
    private struct Rank: Comparable {
        let priority: LoadPriority
        /// The position within a priority; smaller goes first.
        let place: Int

        static func < (left: Rank, right: Rank) -> Bool {
            (right.priority.rawValue, left.place) < (left.priority.rawValue, right.place)
        }

        var mirrored: Rank { Rank(priority: priority, place: -place) }
    }

    private struct Group {
        var runningCount = 0
        var waiting = RankedHeap<Int, Rank>()
    }

    private struct Job {
        let group: String?
    }

    /// The number of jobs of one group that may run at once. Jobs without a group are not limited.
    var groupLimit: Int? {
        didSet { for group in groups.keys { refresh(group) } }
    }

    /// The order among jobs of equal priority.
    var order: LoadOrder {
        didSet { if order != oldValue { mirror() } }
    }

    private var jobs: [Int: Job] = [:]
    private var groups: [String?: Group] = [:]
    /// The groups below their limit that have a waiting job, ranked by their first one.
    private var ready = RankedHeap<String?, Rank>()
    private var lastPlace = 0

    init(order: LoadOrder) { self.order = order }

    /// The number of waiting jobs.
    var count: Int { jobs.count }

    /// Whether any waiting job may go.
    var isReady: Bool { !ready.isEmpty }

    /// Adds `id` as the newest arrival.
    mutating func join(_ id: Int, _ priority: LoadPriority, group: String?) {
        jobs[id] = Job(group: group)
        groups[group, default: Group()].waiting[id] = newRank(priority)
        refresh(group)
    }

    /// Changes the priority of `id`, if it is still in line.
    ///
    /// A job that is raised counts as the newest arrival, because it is wanted now. A job that is lowered goes behind
    /// all others of its new priority.
    mutating func move(_ id: Int, to priority: LoadPriority) {
        guard let job = jobs[id], let old = groups[job.group]?.waiting[id], old.priority != priority else { return }
        let isRaised = priority.rawValue > old.priority.rawValue
        let rank = isRaised ? newRank(priority) : lastRank(priority)
        groups[job.group]?.waiting[id] = rank
        refresh(job.group)
    }

    /// Removes `id`, if it is still in line.
    mutating func leave(_ id: Int) {
        guard let job = jobs.removeValue(forKey: id) else { return }
        groups[job.group]?.waiting[id] = nil
        refresh(job.group)
    }

    /// Removes and returns the job whose turn it is. It counts as running in its group until `end(_:)`.
    mutating func next() -> Int? {
        guard let first = ready.first, let id = groups[first.key]?.waiting.first?.key else { return nil }
        groups[first.key]?.runningCount += 1
        leave(id)
        return id
    }

    /// Records that a job of `group` has ended.
    mutating func end(_ group: String?) {
        groups[group]?.runningCount -= 1
        refresh(group)
    }

    private mutating func newRank(_ priority: LoadPriority) -> Rank {
        let rank = lastRank(priority)
        return order == .firstInFirstOut ? rank : rank.mirrored
    }

    private mutating func lastRank(_ priority: LoadPriority) -> Rank {
        lastPlace += 1
        return Rank(priority: priority, place: lastPlace)
    }

    private mutating func refresh(_ name: String?) {
        guard let group = groups[name] else { return }
        let isFull = name != nil && group.runningCount >= groupLimit ?? .max
        ready[name] = isFull ? nil : group.waiting.first?.rank
        if group.runningCount == 0, group.waiting.isEmpty { groups[name] = nil }
    }

    private mutating func mirror() {
        for name in Array(groups.keys) {
            guard let waiting = groups[name]?.waiting else { continue }
            groups[name]?.waiting = waiting.mapRanks(\.mirrored)
            refresh(name)
        }
    }
}
