#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// How a resampler weighs the source pixels under a target pixel.
public enum ResamplingFilter: String, Hashable, Sendable, CaseIterable {
    /// The mean of the area: soft, never rings.
    case box

    /// A windowed sinc of three lobes: sharp; the default.
    case lanczos3

    /// Half the width of the kernel in source pixels, before it is widened for shrinking.
    var support: Double {
        switch self {
        case .box: 0.5
        case .lanczos3: 3
        }
    }

    /// The weight at `distance` from the centre.
    func weight(_ distance: Double) -> Double {
        switch self {
        case .box:
            return distance > -0.5 && distance <= 0.5 ? 1 : 0
        case .lanczos3:
            guard distance.magnitude < 3 else { return 0 }
            guard distance != 0 else { return 1 }
            let angle = distance * .pi
            return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
        }
    }
}

/// For each pixel of one target axis, which source pixels it is made of, and with which weights.
struct ResamplingWindows {
    private(set) var starts: [Int] = []
    private(set) var ends: [Int] = []
    /// The first weight of each window; its weights follow one another.
    private(set) var offsets: [Int] = []
    private(set) var weights: [Float] = []

    /// Windows over the first `extent` of `source` pixels.
    init(from source: Int, extent: Double, to target: Int, filter: ResamplingFilter) {
        let scale = extent / Double(target)
        // Shrinking widens the kernel, so that every source pixel counts.
        let widening = max(scale, 1)
        let support = filter.support * widening
        for index in 0..<target {
            let center = (Double(index) + 0.5) * scale
            let start = max(0, Int((center - support + 0.5).rounded(.towardZero)))
            let end = min(source, max(start + 1, Int((center + support + 0.5).rounded(.towardZero))))
            let raw = (start..<end).map { filter.weight((Double($0) + 0.5 - center) / widening) }
            let sum = raw.reduce(0, +)
            starts.append(start)
            ends.append(end)
            offsets.append(weights.count)
            weights += raw.map { Float($0 / sum) }
        }
    }
}
