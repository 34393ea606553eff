/// The difference between a score of 100 and that of most photographs at each quality, from measurements.
///
/// The size makes little difference. A picture that is hard to encode lacks up to a third more at most qualities, an easy
/// one up to a seventh less.
enum QualityCurve {
    /// The percentages of quality with what JPEGs lack, whose percentages are those of all formats: the median of 16
    /// photographs of 500 pixels. Chroma becomes full at 90.
    private static let points: [(percent: Int, lack: Double)] = [
        (0, 190), (5, 145.6), (10, 100.2), (20, 61.2), (30, 45), (40, 36.7), (50, 30.9), (60, 27.4), (70, 23.3),
        (75, 21.2),
        (80, 18.6), (85, 16.1), (89, 13.9), (90, 10.1), (92, 9), (95, 7.2), (97, 5.6), (100, 3.9),
    ]

    /// The differences at the percentages from 0 to 100.
    private static let lacks: [Double] = (0...100).map { percent in
        guard let above = points.firstIndex(where: { $0.percent >= percent }), above > 0 else { return points[0].lack }
        let (low, high) = (points[above - 1], points[above])
        let fraction = Double(percent - low.percent) / Double(high.percent - low.percent)
        return low.lack + (high.lack - low.lack) * fraction
    }

    /// Returns what a score lacks to 100 at `percent`.
    static func lack(at percent: Int) -> Double { lacks[min(max(percent, 0), 100)] }

    /// Returns the lowest percentage of `range` with which a picture probably reaches `score`; `nil` if none does.
    ///
    /// `factor` returns what the picture lacks as a multiple of what others lack.
    static func percent(
        for score: Double, in range: ClosedRange<Int>, corrected factor: (Int) -> Double = { _ in 1 }
    ) -> Int? {
        range.first { 100 - factor($0) * lack(at: $0) >= score }
    }
}
