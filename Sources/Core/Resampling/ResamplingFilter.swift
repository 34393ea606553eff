import DarkroomPlatform

/// The filter that weighs the source pixels of a target pixel.
public enum ResamplingFilter: String, Hashable, Sendable, CaseIterable {
    /// The mean of the area: soft, without ringing.
    case box

    /// A windowed sinc of three lobes: sharp. It is the default.
    case lanczos3

    /// The half width of the kernel in source pixels, before it is widened for downscaling.
    var support: Double {
        switch self {
        case .box: 0.5
        case .lanczos3: 3
        }
    }

    /// Returns the weight at `distance` from the centre.
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
