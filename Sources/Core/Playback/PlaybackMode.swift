/// In which order the frames of an animation are played.
public enum PlaybackMode: Hashable, Sendable, CaseIterable {
    /// First to last, again and again.
    case normal
    /// Last to first, again and again.
    case reverse
    /// First to last and back; the first and the last frame are shown once at each turn.
    case bounce
    /// Last to first and back.
    case reversedBounce

    /// Whether it begins at the last frame.
    var isReverse: Bool { self == .reverse || self == .reversedBounce }
}
