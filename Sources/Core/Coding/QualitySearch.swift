import DarkroomPlatform

/// A search for the highest quality at which a number that grows with it, such as the size of a file, is within a bound.
///
/// Each trial is where a typical photograph, scaled to the sizes found so far, would meet the bound. That takes four trials
/// on average, and six at most; the best one is then within five percentage points of the highest possible.
struct QualitySearch {
    private struct Trial {
        let percent: Double
        let isWithin: Bool
        /// The logarithm of the number.
        let size: Double
    }

    /// The number of trials of which one is enough, and the part of the bound that is.
    private static let trialLimit = 6, sufficientPart = 0.97

    /// The part of the bound that is aimed at, so that a trial is more often just within it than just beyond.
    private static let aimedPart = 0.99

    /// The percentage to try next; `nil` if the search is over.
    private(set) var next: Int?

    /// The highest percentage within the bound so far; `nil` if none is.
    var best: Int? { within.map { Int(saturating: $0.percent) } }

    private let percents: ClosedRange<Int>
    private let bound: Double
    private var trials: [Trial] = []
    private var within, beyond: Trial?

    /// Creates a search among `percents` for the highest with at most `bound`. It begins with `first`.
    init(among percents: ClosedRange<Int>, bound: Int, first: Int) {
        self.percents = percents
        self.bound = log(Double(max(bound, 1)))
        next = min(max(first, percents.lowerBound), percents.upperBound)
    }

    /// Creates a search among whole percentages from 1 up to `percent`, which had `count`, more than `bound`.
    init(below percent: Double, with count: Int, bound: Int) {
        self.init(among: 1...max(1, Int(saturating: (percent - 1).rounded(.up))), bound: bound, first: 1)
        add(count, at: percent)
    }

    /// Adds the number found at `next`, and chooses the one after it.
    mutating func add(_ count: Int) {
        guard let next else { return }
        add(count, at: Double(next))
    }

    private mutating func add(_ count: Int, at percent: Double) {
        let size = log(Double(max(count, 1)))
        let trial = Trial(percent: percent, isWithin: size <= bound, size: size)
        trials.append(trial)
        if trial.isWithin { within = trial } else { beyond = trial }
        next = choice
    }

    private var choice: Int? {
        let start = within.map { Int(saturating: $0.percent) + 1 } ?? percents.lowerBound
        let end = min(beyond.map { Int(saturating: $0.percent.rounded(.up)) } ?? .max, percents.upperBound + 1)
        guard start < end, trials.count < Self.trialLimit else { return nil }
        if let within, within.size >= bound + log(Self.sufficientPart) { return nil }
        // The file at the lowest quality is the result if none is within the bound.
        if within == nil, trials.count == Self.trialLimit - 1 || hasNoEffect { return percents.lowerBound }
        return percent(in: start..<end)
    }

    /// Whether two qualities had the same result, as in a lossless format.
    private var hasNoEffect: Bool { trials.count > 1 && trials[trials.count - 1].size == trials[trials.count - 2].size }

    private func percent(in left: Range<Int>) -> Int {
        let last = trials[trials.count - 1]
        var (first, second) = (last, last)
        if let within, let beyond {
            // Interpolation that stays on one side closes in slowly.
            guard trials.suffix(2).contains(where: { $0.isWithin != last.isWithin }) || trials.count == 2 else {
                return (left.lowerBound + left.upperBound) / 2
            }
            (first, second) = (within, beyond)
        } else if trials.count > 1 {
            first = trials[trials.count - 2]
        }
        let (start, run) = (Self.size(at: first.percent), Self.size(at: second.percent) - Self.size(at: first.percent))
        let slope = trials.count == 1 || run == 0 ? 1 : max((second.size - first.size) / run, 0.05)
        let aim = start + (bound + log(Self.aimedPart) - first.size) / slope
        return left.last { Self.size(at: Double($0)) <= aim } ?? left.lowerBound
    }
}

extension QualitySearch {
    /// The logarithm of the bits per pixel of a typical photograph of 500 pixels as a JPEG. From 90 up, chroma is whole.
    private static let photograph: [(percent: Double, size: Double)] = [
        (0, 0.19), (10, 0.3), (30, 0.53), (50, 0.69), (70, 0.92), (80, 1.14), (89, 1.58), (90, 2.23), (95, 3.33),
        (97, 4.42), (100, 9.32),
    ].map { ($0, log($1)) }

    private static func size(at percent: Double) -> Double {
        let index = min(max(photograph.lastIndex { $0.percent <= percent } ?? 0, 0), photograph.count - 2)
        let (start, end) = (photograph[index], photograph[index + 1])
        return start.size + (end.size - start.size) * (percent - start.percent) / (end.percent - start.percent)
    }
}
