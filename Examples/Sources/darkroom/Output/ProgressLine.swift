/// The text of a progress bar.
struct ProgressLine {
    private static let usualBarWidth = 30
    private static let leastBarWidth = 5

    /// The number of sources, with fractions for those that are loading.
    let doneCount: Double
    let finishedCount: Int
    /// The number of sources; `nil` when it is unknown, so that there is no bar.
    let sourceCount: Int?
    /// The number of received bytes; `nil` when none have been received.
    let byteCount: Int?

    /// Returns as much of the text as fits into a line of `columns` without wrapping: the bar is shortened first, and
    /// then parts are omitted.
    func text(columns: Int) -> String {
        // In the last column, some terminals wrap the line.
        let room = max(0, columns - 1)
        var parts = parts
        while parts.count > 1, width(parts) > room { parts.removeLast() }
        guard let fraction else { return String(parts.joined(separator: "  ").prefix(room)) }
        let barWidth = min(Self.usualBarWidth, room - width(parts) - 1)
        guard barWidth >= Self.leastBarWidth else { return String(parts.joined(separator: "  ").prefix(room)) }
        let filled = Int(fraction * Double(barWidth))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: barWidth - filled)
        return bar + " " + parts.joined(separator: "  ")
    }

    private var fraction: Double? {
        sourceCount.map { $0 == 0 ? 1 : min(1, doneCount / Double($0)) }
    }

    /// The parts after the bar, the most important ones first.
    private var parts: [String] {
        let bytes = byteCount.map { [$0.asByteCount] } ?? []
        guard let sourceCount, let fraction else { return ["\(finishedCount) finished"] + bytes }
        return ["\(Int(fraction * 100)) %", "\(finishedCount)/\(sourceCount)"] + bytes
    }

    private func width(_ parts: [String]) -> Int { parts.map(\.count).reduce(2 * (parts.count - 1), +) }
}
