/// A frame that is to be seen from now on.
public struct ShownFrame: Sendable {
    /// Its place in the animation.
    public let index: Int

    /// The picture, and how long the animation wants it to be seen; 0 seconds for a still.
    public let frame: Frame

    /// How many loops were over when it was shown.
    public let loop: Int
}

/// What happens while an `AnimationPlayer` plays.
public enum PlayerEvent: Sendable {
    /// Another frame is to be seen.
    case frame(ShownFrame)
    /// A loop has ended: how many have by now, from 1.
    case loopEnded(Int)
}

extension PlayerEvent {
    /// Whether nobody who has not read `older` needs it any more.
    func replaces(_ older: PlayerEvent) -> Bool {
        switch (self, older) {
        case (.frame, .frame), (.loopEnded, .loopEnded): true
        default: false
        }
    }
}
