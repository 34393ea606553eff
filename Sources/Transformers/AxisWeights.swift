#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Of which pixels of a picture the pixels of a canvas are made along one axis, by Lanczos's filter of three lobes.
struct AxisWeights {
    /// How many pixels of the picture each canvas pixel is made of.
    let tapCount: Int

    /// The first of them, for each canvas pixel.
    private(set) var starts: [Int] = []

    /// Their weights, `tapCount` for each canvas pixel; they add up to 1.
    private(set) var weights: [Float] = []

    /// The weights for the canvas pixels of `placement`.
    init(_ placement: AxisPlacement) {
        // Shrinking widens the kernel, so that every source pixel counts.
        let widening = max(placement.step, 1)
        let seen = placement.seen
        tapCount = Self.tapCount(placement)
        for pixel in placement.pixels {
            let center = placement.center(of: pixel)
            let first = Int((center - 3 * widening - 0.5).rounded(.up))
            let start = max(seen.lowerBound, min(first, seen.upperBound - tapCount))
            let raw = (start..<(start + tapCount)).map { lanczos((Double($0) + 0.5 - center) / widening) }
            let sum = raw.reduce(0, +)
            starts.append(start)
            weights += raw.map { Float($0 / sum) }
        }
    }

    /// About how many bytes the weights of `placement` take.
    static func byteCount(_ placement: AxisPlacement) -> Double {
        Double(placement.pixels.count) * (Double(tapCount(placement)) * 4 + 8)
    }

    private static func tapCount(_ placement: AxisPlacement) -> Int {
        min(placement.seen.count, Int((6 * max(placement.step, 1)).rounded(.up)))
    }
}

/// A sinc under the middle lobe of one three times as wide.
private func lanczos(_ distance: Double) -> Double {
    guard distance.magnitude < 3 else { return 0 }
    guard distance != 0 else { return 1 }
    let angle = distance * .pi
    return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
}
