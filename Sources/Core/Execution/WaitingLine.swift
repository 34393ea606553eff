/// Who waits, and whose turn it is: the more urgent first, and of those the one that `order` says.
///
/// A group that runs as many as it may is passed over, so that it holds up nobody else. Any change takes logarithmic time.
struct WaitingLine {
    private struct Rank: Comparable {
        let priority: LoadPriority
        /// Smaller goes first.
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

    /// How many of one group run at once; who has no group is not counted.
    var groupLimit: Int? {
        didSet { for group in groups.keys { refresh(group) } }
    }

    /// Which of those with one priority comes first.
    var order: LoadOrder {
        didSet { if order != oldValue { mirror() } }
    }

    private var jobs: [Int: Job] = [:]
    private var groups: [String?: Group] = [:]
    /// Groups in which somebody may go, with the ranks of their first.
    private var ready = RankedHeap<String?, Rank>()
    private var lastPlace = 0

    init(order: LoadOrder) { self.order = order }

    /// How many wait.
    var count: Int { jobs.count }

    /// Whether there is somebody who may go.
    var isReady: Bool { !ready.isEmpty }

    /// Puts `id` in, as the one that came last.
    mutating func join(_ id: Int, _ priority: LoadPriority, group: String?) {
        jobs[id] = Job(group: group)
        groups[group, default: Group()].waiting[id] = newRank(priority)
        refresh(group)
    }

    /// Gives `id`, which may have gone, another priority.
    ///
    /// With a higher one it counts as having come just now, for somebody wants it now. With a lower one it goes behind all
    /// who have that priority already.
    mutating func move(_ id: Int, to priority: LoadPriority) {
        guard let job = jobs[id], let old = groups[job.group]?.waiting[id], old.priority != priority else { return }
        let isRaised = priority.rawValue > old.priority.rawValue
        let rank = isRaised ? newRank(priority) : lastRank(priority)
        groups[job.group]?.waiting[id] = rank
        refresh(job.group)
    }

    /// Takes `id` out, if it has not gone.
    mutating func leave(_ id: Int) {
        guard let job = jobs.removeValue(forKey: id) else { return }
        groups[job.group]?.waiting[id] = nil
        refresh(job.group)
    }

    /// Takes out the one whose turn it is. It counts as running in its group until `end`.
    mutating func next() -> Int? {
        guard let first = ready.first, let id = groups[first.key]?.waiting.first?.key else { return nil }
        groups[first.key]?.runningCount += 1
        leave(id)
        return id
    }

    /// Notes that one of `group` has ended.
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
