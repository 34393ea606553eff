/// The search for the lowest quality, in whole percent, with which an encoded image reaches a score.
///
/// It expects the curve of most photographs, and corrects it by the scores that the image has: what it lacks to
/// a score of 100 is a multiple of what others lack. Whatever the encoder does, it ends after ``longest`` trials, of which
/// the last one has a quality of 100 if no other reached the score.
struct VisualSearch {
    /// One encode.
    struct Trial: Hashable {
        let percent: Int
        let score: Double
        let byteCount: Int
    }

    /// The maximum number of trials.
    static let longest = 4

    /// The score by which the prediction exceeds the wanted one, because a trial that falls short costs another one.
    private static let margin = 0.7

    /// The excess of a score with which the search ends, about four percent of quality.
    private static let tolerance = 2.0

    /// The percent of quality that a search does not save, for low qualities, where each makes a great difference.
    private static let coarseness = 2

    private let wanted: Double
    private let lowest: Int
    private(set) var trials: [Trial] = []

    /// Creates a search for `wanted`, a score. With `isCautious`, it does not go below the quality that
    /// is expected, because only a part of the picture is tried.
    init(_ wanted: Double, isCautious: Bool = false) {
        self.wanted = wanted
        lowest = isCautious ? QualityCurve.percent(for: wanted + Self.margin, in: 1...100) ?? 100 : 1
    }

    /// The trial to use: the smallest file that reaches the score, or else the best one. `nil` before the first.
    var best: Trial? {
        let enough = trials.filter { $0.score >= wanted }
        if let smallest = enough.min(by: { ($0.byteCount, $0.percent) < ($1.byteCount, $1.percent) }) {
            return smallest
        }
        return trials.max { ($0.score, -$0.byteCount) < ($1.score, -$1.byteCount) }
    }

    /// The percentage to try next; `nil` if the search is over.
    var next: Int? {
        guard let last = trials.last else {
            return QualityCurve.percent(for: wanted + Self.margin, in: lowest...100) ?? 100
        }
        guard trials.count < Self.longest, !hasSettled else { return nil }
        guard let upper else { return last.percent == 100 ? nil : higher }
        return lower(than: upper)
    }

    /// Adds the result of the trial that `next` asked for.
    mutating func add(_ trial: Trial) { trials.append(trial) }

    /// Whether more trials are of no use: the score is near enough, or is reached whatever the quality is.
    private var hasSettled: Bool {
        guard let best, best.score >= wanted else { return false }
        return best.score <= wanted + tolerance(at: best.percent) || makesNoDifference
    }

    /// Whether the last two trials have equal files.
    private var makesNoDifference: Bool {
        let lastTwo = trials.suffix(2)
        return lastTwo.count == 2 && Set(lastTwo.map { [Double($0.byteCount), $0.score] }).count == 1
    }

    private func tolerance(at percent: Int) -> Double {
        max(Self.tolerance, QualityCurve.lack(at: percent - Self.coarseness) - QualityCurve.lack(at: percent))
    }

    /// The trial of the lowest quality that reached the score.
    private var upper: Trial? { trials.filter { $0.score >= wanted }.min { $0.percent < $1.percent } }

    /// The trial of the highest quality below `upper` that did not reach the score.
    private func lower(below upper: Int) -> Trial? {
        trials.filter { $0.score < wanted && $0.percent < upper }.max { $0.percent < $1.percent }
    }

    /// The next percentage if none reached the score.
    private var higher: Int {
        let highest = trials.map(\.percent).max() ?? 0
        // A file of the highest quality may be lossless, and so unlike those of all others.
        guard trials.count < Self.longest - 1, !makesNoDifference else { return 100 }
        // The farther the trials, the less is known.
        let aim = wanted + Self.margin * Double(trials.count)
        return QualityCurve.percent(for: aim, in: min(highest + 1, 100)...100, corrected: factor) ?? 100
    }

    /// The next percentage below `upper`; `nil` if there is none left.
    private func lower(than upper: Trial) -> Int? {
        let first = max(lower(below: upper.percent)?.percent ?? lowest - 1, lowest - 1) + 1
        guard first < upper.percent else { return nil }
        let range = first...(upper.percent - 1)
        return QualityCurve.percent(for: wanted + Self.margin, in: range, corrected: factor) ?? range.upperBound
    }

    /// Returns what the image lacks at `percent`, as a multiple of what the curve lacks: between two trials, in between.
    private func factor(at percent: Int) -> Double {
        let known = trials.map { (percent: $0.percent, factor: (100 - $0.score) / QualityCurve.lack(at: $0.percent)) }
        let below = known.filter { $0.percent <= percent }.max { $0.percent < $1.percent }
        let above = known.filter { $0.percent >= percent }.min { $0.percent < $1.percent }
        guard let below, let above, below.percent < above.percent else { return (below ?? above)?.factor ?? 1 }
        let fraction = Double(percent - below.percent) / Double(above.percent - below.percent)
        return below.factor + (above.factor - below.factor) * fraction
    }
}
