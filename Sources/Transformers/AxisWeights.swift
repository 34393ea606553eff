import DarkroomPlatform

/// The resampling weights for the canvas pixels along one axis, by a Lanczos filter with three lobes.
struct AxisWeights {
    /// The number of image pixels that contribute to each canvas pixel.
    let tapCount: Int

    /// The index of the first contributing image pixel, for each canvas pixel.
    private(set) var starts: [Int] = []

    /// The weights, `tapCount` for each canvas pixel, with a sum of 1.
    private(set) var weights: [Float] = []

    /// Computes the weights for the canvas pixels of `placement`.
    init(_ placement: AxisPlacement) {
        // Downsampling widens the kernel, so that every source pixel contributes.
        let widening = max(placement.step, 1)
        let visible = placement.visibleSource
        tapCount = Self.tapCount(placement)
        for pixel in placement.pixels {
            let center = placement.center(of: pixel)
            let first = Int((center - 3 * widening - 0.5).rounded(.up))
            let start = max(visible.lowerBound, min(first, visible.upperBound - tapCount))
            let raw = (start..<(start + tapCount)).map { lanczos((Double($0) + 0.5 - center) / widening) }
            let sum = raw.reduce(0, +)
            starts.append(start)
            weights += raw.map { Float($0 / sum) }
        }
    }

    /// Returns the approximate size of the weights of `placement` in bytes.
    static func byteCount(_ placement: AxisPlacement) -> Double {
        Double(placement.pixels.count) * (Double(tapCount(placement)) * 4 + 8)
    }

    private static func tapCount(_ placement: AxisPlacement) -> Int {
        min(placement.visibleSource.count, Int((6 * max(placement.step, 1)).rounded(.up)))
    }
}

/// Returns a sinc, windowed by the main lobe of a sinc three times as wide.
private func lanczos(_ distance: Double) -> Double {
    guard distance.magnitude < 3 else { return 0 }
    guard distance != 0 else { return 1 }
    let angle = distance * .pi
    return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
}
