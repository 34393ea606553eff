public import DarkroomCore

/// A frame that playback has reached.
public struct ShownFrame: Sendable {
    /// The index of the frame in the animation.
    public let index: Int

    /// The pixels, and the duration that the animation gives the frame; zero for a still.
    public let frame: Frame

    /// The number of loops complete when the frame was shown.
    public let loop: Int
}

/// An event of the playback by an ``AnimationPlayer``.
public enum PlayerEvent: Sendable {
    /// A new frame is on show.
    case frame(ShownFrame)
    /// A loop is complete. The value is the number of completed loops, from 1.
    case loopEnded(Int)
}

extension ShownFrame: FlightEvent {
    package var coalescedKind: Int? { 0 }
}

extension PlayerEvent: FlightEvent {
    package var coalescedKind: Int? {
        switch self {
        case .frame: 0
        case .loopEnded: 1
        }
    }
}
