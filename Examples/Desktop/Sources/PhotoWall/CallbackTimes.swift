import DarkroomGTK

/// The times of the callbacks on the main thread, by name.
@MainActor
final class CallbackTimes {
    /// The times of one name.
    private struct Times {
        var elapsed = TimeDistribution()
        var processor = TimeDistribution()
    }

    private var times: [String: Times] = [:]
    private var isRecording = false

    /// Begins to record. The callbacks of the check itself are left out.
    func start() {
        isRecording = true
        MainThread.observer = { [weak self] in
            // The callback that has stopped the recording is one of the check, too.
            guard let self, isRecording, $0.name != "check" else { return }
            times[$0.name, default: Times()].elapsed.add($0.duration)
            times[$0.name, default: Times()].processor.add($0.processorTime)
        }
    }

    /// Ends the recording.
    func stop() {
        isRecording = false
        MainThread.observer = nil
    }

    /// The number of callbacks.
    var count: Int { times.values.reduce(0) { $0 + $1.processor.count } }

    /// Returns the number of callbacks with a processor time of more than `limit`.
    func count(over limit: Duration) -> Int { times.values.reduce(0) { $0 + $1.processor.count(over: limit) } }

    /// A line for each name, and one for all.
    var lines: [String] {
        var all = Times()
        for times in times.values {
            all.elapsed.add(times.elapsed)
            all.processor.add(times.processor)
        }
        return (times.sorted { $0.key < $1.key } + [(key: "all", value: all)]).map { name, times in
            "\(name): \(times.elapsed.count) calls; \(times.elapsed); of processor time \(times.processor)"
        }
    }
}

/// The distribution of times, to a hundredth of a millisecond. However many there are, it does not grow: the memory of the
/// process is measured, too.
struct TimeDistribution: CustomStringConvertible {
    private static let step = Duration.microseconds(10)

    /// The numbers of times, by their steps; the last one also has those that are longer.
    private var counts = [UInt32](repeating: 0, count: 10_000)
    /// The longest time.
    private(set) var maximum = Duration.zero

    /// The number of times.
    var count: Int { counts.reduce(0) { $0 + Int($1) } }

    /// Adds a time.
    mutating func add(_ time: Duration) {
        counts[min(Int(time / Self.step), counts.count - 1)] += 1
        maximum = max(maximum, time)
    }

    /// Adds the times of `other`.
    mutating func add(_ other: Self) {
        for index in counts.indices { counts[index] += other.counts[index] }
        maximum = max(maximum, other.maximum)
    }

    /// Returns the number of times of more than `limit`, which is less than 100 ms.
    func count(over limit: Duration) -> Int { counts[Int(limit / Self.step)...].reduce(0) { $0 + Int($1) } }

    /// The median, the 99th percentile and the maximum.
    var description: String {
        guard count > 0 else { return "none" }
        return "median \(quantile(0.5)), p99 \(quantile(0.99)), maximum \(maximum.milliseconds) ms"
    }

    private func quantile(_ fraction: Double) -> Double {
        var rest = Int(Double(count - 1) * fraction)
        let step = counts.firstIndex { count in
            rest -= Int(count)
            return rest < 0
        }
        return (Self.step * (step ?? 0)).milliseconds
    }
}

extension Duration {
    /// The milliseconds, with two decimals.
    var milliseconds: Double { (self / .microseconds(10)).rounded() / 100 }
}
