/// The order in which the frames of an animation are played.
public enum PlaybackMode: Hashable, Sendable, CaseIterable {
    /// First to last, repeatedly.
    case normal
    /// Last to first, repeatedly.
    case reverse
    /// First to last and back. The first and last frames are shown once per turn.
    case bounce
    /// Last to first and back.
    case reversedBounce

    /// Whether playback starts at the last frame.
    var isReverse: Bool { self == .reverse || self == .reversedBounce }
}
