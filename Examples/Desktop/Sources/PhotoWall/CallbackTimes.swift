import DarkroomGTK

/// The times of the callbacks on the main thread, by name.
@MainActor
final class CallbackTimes {
    /// The times of one name, in milliseconds. They are compact, because the memory of the process is measured, too.
    private struct Times {
        var elapsed: [Float] = []
        var processor: [Float] = []
    }

    private var times: [String: Times] = [:]
    private var isRecording = false

    /// Begins to record. The callbacks of the check itself are left out.
    func start() {
        isRecording = true
        MainThread.observer = { [weak self] in
            // The callback that has stopped the recording is one of the check, too.
            guard let self, isRecording, $0.name != "check" else { return }
            times[$0.name, default: Times()].elapsed.append($0.duration.milliseconds)
            times[$0.name, default: Times()].processor.append($0.processorTime.milliseconds)
        }
    }

    /// Ends the recording.
    func stop() {
        isRecording = false
        MainThread.observer = nil
    }

    /// The number of callbacks.
    var count: Int { times.values.reduce(0) { $0 + $1.processor.count } }

    /// Returns the number of callbacks with a processor time of more than `milliseconds`.
    func count(over milliseconds: Float) -> Int {
        times.values.reduce(0) { $0 + $1.processor.count { $0 > milliseconds } }
    }

    /// A line for each name, and one for all.
    var lines: [String] {
        var all = Times()
        for times in times.values {
            all.elapsed += times.elapsed
            all.processor += times.processor
        }
        return (times.sorted { $0.key < $1.key } + [(key: "all", value: all)]).map { name, times in
            "\(name): \(times.elapsed.count) calls; \(Self.quantiles(times.elapsed)); "
                + "of processor time \(Self.quantiles(times.processor))"
        }
    }

    /// The median, the 99th percentile and the maximum of times in milliseconds.
    static func quantiles(_ times: [Float]) -> String {
        let sorted = times.sorted()
        guard let last = sorted.last else { return "none" }
        func at(_ fraction: Double) -> Float { sorted[Int(Double(sorted.count - 1) * fraction)] }
        return "median \(at(0.5).short), p99 \(at(0.99).short), maximum \(last.short) ms"
    }
}

extension Duration {
    /// The duration in milliseconds.
    var milliseconds: Float { Float(self / .milliseconds(1)) }
}

extension Float {
    /// The number with two decimals.
    var short: Double { (Double(self) * 100).rounded() / 100 }
}
