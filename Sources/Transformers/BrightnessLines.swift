import DarkroomCore
import DarkroomPlatform

/// The brightness of an image's pixels, line by line along one axis. Transparent pixels are black.
struct BrightnessLines {
    private let count, length: Int
    private let values: [UInt8]

    /// Reads the columns of `bitmap`, or its rows.
    init(_ bitmap: Bitmap, areColumns: Bool, for request: TransformRequest) throws {
        let size = bitmap.size
        (count, length) = areColumns ? (size.width, size.height) : (size.height, size.width)
        var values = [UInt8](repeating: 0, count: size.width * size.height)
        let (columnStep, rowStep) = areColumns ? (size.height, 1) : (1, size.width)
        for y in 0..<size.height {
            try request.checkCancellation()
            unsafe bitmap.withWords { words in
                for x in 0..<size.width {
                    values[x * columnStep + y * rowStep] = unsafe words[y * size.width + x].brightness
                }
            }
        }
        self.values = values
    }

    /// Returns the entropy of each window of `length` lines. Equal numbers mean equivalent histograms.
    func entropies(length window: Int, for request: TransformRequest) throws -> [Int] {
        var histogram = Histogram()
        for line in 0..<window { add(line, times: 1, to: &histogram) }
        var scores = [histogram.entropy]
        for line in window..<max(window, count) {
            try request.checkCancellation()
            add(line - window, times: -1, to: &histogram)
            add(line, times: 1, to: &histogram)
            scores.append(histogram.entropy)
        }
        return scores
    }

    private func add(_ line: Int, times number: Int, to histogram: inout Histogram) {
        for index in (line * length)..<((line + 1) * length) { histogram.add(number, of: values[index]) }
    }

    /// Returns the sum of the Sobel operator over the pixels, for each window of `length` lines.
    func edges(length window: Int, for request: TransformRequest) throws -> [Int] {
        var sums = [0]
        for line in 0..<count {
            try request.checkCancellation()
            sums.append((sums.last ?? 0) + edges(of: line))
        }
        return (0...(count - window)).map { sums[$0 + window] - sums[$0] }
    }

    /// The edge pixels extend outwards.
    private func edges(of line: Int) -> Int {
        let (before, after) = (max(0, line - 1) * length, min(count - 1, line + 1) * length)
        let here = line * length
        var sum = 0
        for index in 0..<length {
            let (left, right) = (max(0, index - 1), min(length - 1, index + 1))
            func value(_ start: Int, _ index: Int) -> Int { Int(values[start + index]) }
            let along =
                value(before, right) + 2 * value(here, right) + value(after, right)
                - value(before, left) - 2 * value(here, left) - value(after, left)
            let across =
                value(after, left) + 2 * value(after, index) + value(after, right)
                - value(before, left) - 2 * value(before, index) - value(before, right)
            sum += abs(along) + abs(across)
        }
        return sum
    }
}

/// A histogram of brightness, for a fixed number of pixels.
private struct Histogram {
    private var counts = [Int](repeating: 0, count: 256)

    /// The entropy up to a constant and a factor, as an integer, so that the order of summation does not matter.
    private(set) var entropy = 0

    mutating func add(_ number: Int, of value: UInt8) {
        let count = counts[Int(value)]
        entropy += Self.term(count) - Self.term(count + number)
        counts[Int(value)] = count + number
    }

    private static let terms: [Int] = (0..<4096).map(computedTerm)

    private static func term(_ count: Int) -> Int { count < terms.count ? terms[count] : computedTerm(count) }

    private static func computedTerm(_ count: Int) -> Int {
        count < 2 ? 0 : Int((Double(count) * log2(Double(count)) * 65536).rounded())
    }
}

extension UInt32 {
    /// The luma of the pixel composited over black.
    fileprivate var brightness: UInt8 {
        let pixel = littleEndian
        let luma = (pixel & 255) * 77 + (pixel >> 8 & 255) * 150 + (pixel >> 16 & 255) * 29
        return UInt8((luma * (pixel >> 24) / 255) >> 8)
    }
}
