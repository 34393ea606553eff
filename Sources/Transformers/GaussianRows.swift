import DarkroomCore
import DarkroomPlatform

/// The rows of an image after a Gaussian blur, premultiplied, in order. The edge pixels extend outwards.
struct GaussianRows {
    private let bitmap: Bitmap

    /// The weight of the centre, then of the first neighbour on either side, and so on; the sum over both sides is 1.
    private let weights: [Float]

    /// The latest horizontally blurred rows, row `y` in slot `y % slotCount`.
    private var rows: [SIMD4<Float>]
    private let slotCount: Int
    private var blurredCount = 0
    private var nextRow = 0

    private var padded: [SIMD4<Float>]
    private var sum: [SIMD4<Float>]

    private var kernelRadius: Int { weights.count - 1 }

    private var width: Int { bitmap.size.width }

    /// Creates the rows of `bitmap` for a standard deviation of `radius` pixels, cut off at three standard deviations.
    init(_ bitmap: Bitmap, radius: Double, limits: DecodeLimits) throws {
        self.bitmap = bitmap
        weights = Self.weights(radius: radius)
        slotCount = min(2 * weights.count - 1, bitmap.size.height)
        try limits.check(decodedByteCount: (slotCount + 2) * bitmap.size.width * 16)
        rows = Array(repeating: .zero, count: slotCount * bitmap.size.width)
        padded = Array(repeating: .zero, count: bitmap.size.width + 2 * weights.count)
        sum = Array(repeating: .zero, count: bitmap.size.width)
    }

    private static func weights(radius: Double) -> [Float] {
        let weights = (0...Int((radius * 3).rounded(.up))).map { distance in
            // The square of a very small radius is 0.
            distance == 0 ? 1 : exp(-Double(distance * distance) / (2 * radius * radius))
        }
        let sum = weights.reduce(0) { $0 + 2 * $1 } - weights[0]
        return weights.map { Float($0 / sum) }
    }

    /// Passes the next row to `body`: red, green and blue of 0 to 255 times alpha, and alpha of 0 to 255.
    mutating func withNextRow(_ body: (UnsafeBufferPointer<SIMD4<Float>>) -> Void) {
        let last = bitmap.size.height - 1
        while blurredCount <= min(nextRow + kernelRadius, last) {
            fill(blurredCount)
            blur(into: blurredCount % slotCount * width)
            blurredCount += 1
        }
        for index in 0..<width { sum[index] = rows[nextRow % slotCount * width + index] * weights[0] }
        for distance in weights.indices.dropFirst() {
            add(
                above: max(nextRow - distance, 0), below: min(nextRow + distance, last), weight: weights[distance])
        }
        nextRow += 1
        unsafe sum.withUnsafeBufferPointer { unsafe body($0) }
    }

    /// Premultiplies row `y`, and repeats its end pixels on either side.
    private mutating func fill(_ y: Int) {
        unsafe bitmap.withWords { words in
            for index in padded.indices {
                let x = min(max(index - weights.count, 0), width - 1)
                let word = unsafe UInt32(littleEndian: words[y * width + x])
                let alpha = Float(word >> 24)
                let color = SIMD4(Float(word & 255), Float(word >> 8 & 255), Float(word >> 16 & 255), 255)
                padded[index] = color * (alpha / 255)
            }
        }
    }

    private mutating func blur(into slot: Int) {
        let (weights, width) = (weights, width)
        unsafe padded.withUnsafeBufferPointer { padded in
            unsafe rows.withUnsafeMutableBufferPointer { rows in
                for x in 0..<width {
                    let middle = x + weights.count
                    var sum = unsafe padded[middle] * weights[0]
                    for distance in 1..<weights.count {
                        unsafe sum += (padded[middle - distance] + padded[middle + distance]) * weights[distance]
                    }
                    unsafe rows[slot + x] = sum
                }
            }
        }
    }

    private mutating func add(above: Int, below: Int, weight: Float) {
        let (above, below, width) = (above % slotCount * width, below % slotCount * width, width)
        unsafe rows.withUnsafeBufferPointer { rows in
            unsafe sum.withUnsafeMutableBufferPointer { sum in
                for x in 0..<width { unsafe sum[x] += (rows[above + x] + rows[below + x]) * weight }
            }
        }
    }
}
