import DarkroomCore

/// Interpolates the colours of an image by Catmull–Rom splines over 4×4 pixels, premultiplied.
@safe struct CubicSampler {
    private let words: UnsafeBufferPointer<UInt32>
    private let width, height: Int
    private let hasAlpha: Bool

    /// Creates a sampler of the pixels `words`, which must outlive it.
    init(_ words: UnsafeBufferPointer<UInt32>, size: PixelSize, hasAlpha: Bool) {
        unsafe self.words = unsafe words
        (width, height) = (size.width, size.height)
        self.hasAlpha = hasAlpha
    }

    /// Writes the pixels along a line through the image that starts at (`x`, `y`) and advances by `step`.
    ///
    /// A point on the edge of the image is half covered, one that is half a pixel outside is not covered.
    func fill(_ row: UnsafeMutableBufferPointer<UInt32>, x: Double, y: Double, step: (x: Double, y: Double)) {
        for index in row.indices {
            let (x, y) = (x + Double(index) * step.x, y + Double(index) * step.y)
            let coverage = Self.coverage(at: x, length: width) * Self.coverage(at: y, length: height)
            guard coverage > 0 else { continue }
            unsafe row[index] = pixel(x: x, y: y).word(Float(coverage))
        }
    }

    private static func coverage(at position: Double, length: Int) -> Double {
        max(0, min(1, min(position, Double(length) - position) + 0.5))
    }

    /// Returns the colour at a point that is at most half a pixel outside.
    private func pixel(x: Double, y: Double) -> SIMD4<Float> {
        // For positive numbers, truncation rounds down.
        let (left, top) = (Int(x + 1.5) - 3, Int(y + 1.5) - 3)
        let across = Self.weights(Float(x - 1.5 - Double(left)))
        let down = Self.weights(Float(y - 1.5 - Double(top)))
        guard left >= 0, top >= 0, left + 4 <= width, top + 4 <= height else {
            return edgePixel(left: left, top: top, across: across, down: down)
        }
        let start = top &* width &+ left
        return line(from: start, weights: across) * down[0] + line(from: start &+ width, weights: across) * down[1]
            + line(from: start &+ 2 &* width, weights: across) * down[2] + line(
                from: start &+ 3 &* width, weights: across) * down[3]
    }

    @inline(__always)
    private func line(from start: Int, weights: SIMD4<Float>) -> SIMD4<Float> {
        color(start) * weights[0] + color(start &+ 1) * weights[1] + color(start &+ 2) * weights[2]
            + color(start &+ 3) * weights[3]
    }

    /// The edge pixels extend outwards.
    private func edgePixel(left: Int, top: Int, across: SIMD4<Float>, down: SIMD4<Float>) -> SIMD4<Float> {
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

    /// Returns the weights of the four pixels around a point at `distance` beyond the second one.
    private static func weights(_ distance: Float) -> SIMD4<Float> {
        let cubic = SIMD4<Float>(-0.5, 1.5, -1.5, 0.5)
        let square = SIMD4<Float>(1, -2.5, 2, -0.5)
        let linear = SIMD4<Float>(-0.5, 0, 0.5, 0)
        return ((cubic * distance + square) * distance + linear) * distance + SIMD4(0, 1, 0, 0)
    }
}
