package import DarkroomPlatform

/// The search for the best file of at most some number of bytes.
package enum SizeSearch {
    /// Returns the file of the first of `steps`, of which there must be at least one, that has at most `bound` bytes, or
    /// else that of the last step. Without a bound, it is that of the first step.
    ///
    /// Later steps should make smaller files. It makes at most 5 files for up to 16 steps.
    package static func file<Step>(
        of steps: [Step], within bound: Int?, _ file: (Step) throws -> Data
    ) throws -> Data {
        var best = try file(steps[0])
        guard let bound, best.count > bound else { return best }
        var range = 1..<steps.count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            let other = try file(steps[middle])
            // The last step is tried if no other fits.
            if other.count <= bound || best.count > bound { best = other }
            range = other.count <= bound ? range.lowerBound..<middle : (middle + 1)..<range.upperBound
        }
        return best
    }

    /// Returns the numbers of colours from `largest` down to `smallest`, each about 0.7 times the one before.
    package static func colorCounts(from largest: Int, to smallest: Int = 2) -> [Int] {
        var counts = [largest]
        var exact = Double(largest)
        while true {
            exact *= 0.5.squareRoot()
            let count = Int(exact.rounded())
            guard count >= smallest else { return counts }
            if count < counts[counts.count - 1] { counts.append(count) }
        }
    }
}
