/// The number of waiters at each priority.
struct PriorityCounts {
    private var counts = [Int](repeating: 0, count: LoadPriority.allCases.count)

    /// The highest priority that has a waiter.
    var highest: LoadPriority? { LoadPriority.allCases.last { counts[$0.rawValue] > 0 } }

    mutating func add(_ priority: LoadPriority) { counts[priority.rawValue] += 1 }

    mutating func remove(_ priority: LoadPriority) { counts[priority.rawValue] -= 1 }
}
