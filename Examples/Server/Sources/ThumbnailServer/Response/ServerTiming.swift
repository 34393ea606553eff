/// The field `Server-Timing`, which browsers display with a request.
enum ServerTiming {
    /// Returns the value for `parts` in milliseconds. Durations of the same name are added.
    static func field(_ parts: [(name: String, duration: Duration)]) -> String {
        var sums: [(name: String, duration: Duration)] = []
        for part in parts {
            if let index = sums.firstIndex(where: { $0.name == part.name }) {
                sums[index].duration += part.duration
            } else {
                sums.append(part)
            }
        }
        return sums.map { field(of: $0.duration, named: $0.name) }.joined(separator: ", ")
    }

    /// Returns the value for a single part.
    static func field(of duration: Duration, named name: String) -> String {
        "\(name);dur=\(milliseconds(duration))"
    }

    private static func milliseconds(_ duration: Duration) -> Double {
        (duration / .microseconds(10)).rounded() / 100
    }
}
