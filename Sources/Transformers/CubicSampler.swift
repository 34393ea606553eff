import DarkroomCore

/// Colours between the pixels of a picture, by Catmull and Rom's cubic over 4×4 pixels, premultiplied.
@safe struct CubicSampler {
    private let words: UnsafeBufferPointer<UInt32>
    private let width, height: Int
    private let hasAlpha: Bool

    /// A sampler of the pixels `words`, which must outlive it.
    init(_ words: UnsafeBufferPointer<UInt32>, _ size: PixelSize, hasAlpha: Bool) {
        unsafe self.words = unsafe words
        (width, height) = (size.width, size.height)
        self.hasAlpha = hasAlpha
    }

    /// Writes the pixels of a line through the picture that begins at (`x`, `y`) and goes on by `step`.
    ///
    /// A point at the edge of the picture is half covered, one that is half a pixel outside not at all.
    func fill(_ row: UnsafeMutableBufferPointer<UInt32>, x: Double, y: Double, step: (x: Double, y: Double)) {
        for index in row.indices {
            let (x, y) = (x + Double(index) * step.x, y + Double(index) * step.y)
            let coverage = Self.coverage(x, width) * Self.coverage(y, height)
            guard coverage > 0 else { continue }
            unsafe row[index] = pixel(x, y).word(Float(coverage))
        }
    }

    private static func coverage(_ position: Double, _ length: Int) -> Double {
        max(0, min(1, position + 0.5, Double(length) - position + 0.5))
    }

    private func pixel(_ x: Double, _ y: Double) -> SIMD4<Float> {
        let (column, row) = ((x - 0.5).rounded(.down), (y - 0.5).rounded(.down))
        let (left, top) = (Int(column) - 1, Int(row) - 1)
        let across = Self.weights(Float(x - 0.5 - column))
        let down = Self.weights(Float(y - 0.5 - row))
        guard left >= 0, top >= 0, left + 4 <= width, top + 4 <= height else {
            return edgePixel(left, top, across, down)
        }
        var sum = SIMD4<Float>.zero
        for tap in 0..<4 {
            let start = (top + tap) * width + left
            var line = color(start) * across[0]
            line += color(start + 1) * across[1]
            line += color(start + 2) * across[2]
            line += color(start + 3) * across[3]
            sum += line * down[tap]
        }
        return sum
    }

    /// The edge goes on outside.
    private func edgePixel(_ left: Int, _ top: Int, _ across: SIMD4<Float>, _ down: SIMD4<Float>) -> SIMD4<Float> {
        var sum = SIMD4<Float>.zero
        for tap in 0..<4 {
            let start = min(max(top + tap, 0), height - 1) * width
            var line = SIMD4<Float>.zero
            for column in 0..<4 {
                line += color(start + min(max(left + column, 0), width - 1)) * across[column]
            }
            sum += line * down[tap]
        }
        return sum
    }

    @inline(__always)
    private func color(_ index: Int) -> SIMD4<Float> {
        unsafe hasAlpha ? words[index].premultiplied : words[index].channels
    }

    /// The weights of the four pixels round a point that lies `distance` behind the second.
    private static func weights(_ distance: Float) -> SIMD4<Float> {
        let cubic = SIMD4<Float>(-0.5, 1.5, -1.5, 0.5)
        let square = SIMD4<Float>(1, -2.5, 2, -0.5)
        let linear = SIMD4<Float>(-0.5, 0, 0.5, 0)
        return ((cubic * distance + square) * distance + linear) * distance + SIMD4(0, 1, 0, 0)
    }
}
