/// A time at which a sleeper wakes up.
struct Alarm: Comparable {
    let deadline: Duration
    /// Distinguishes alarms of the same deadline, the earlier ones first.
    let id: Int

    static func < (left: Alarm, right: Alarm) -> Bool {
        left.deadline == right.deadline ? left.id < right.id : left.deadline < right.deadline
    }
}

/// A heap of alarms. Those of cancelled sleepers remain until their time has come.
struct AlarmQueue {
    private var alarms: [Alarm] = []

    mutating func add(_ alarm: Alarm) {
        alarms.append(alarm)
        var index = alarms.count - 1
        while index > 0, alarms[index] < alarms[(index - 1) / 2] {
            alarms.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func removeFirst() -> Alarm? {
        guard let first = alarms.first else { return nil }
        alarms.swapAt(0, alarms.count - 1)
        alarms.removeLast()
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < alarms.count && alarms[child] < alarms[least] {
                least = child
            }
            guard least != index else { return first }
            alarms.swapAt(least, index)
            index = least
        }
    }
}
