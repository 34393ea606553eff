public import DarkroomCore

/// The position of an image in a larger area, or of the visible part in an image that is too large.
public enum Gravity: String, Sendable, CaseIterable {
    /// The centre.
    case center
    /// The middle of the top edge.
    case top
    /// The middle of the bottom edge.
    case bottom
    /// The middle of the left edge.
    case left
    /// The middle of the right edge.
    case right
    /// The top left corner.
    case topLeft
    /// The top right corner.
    case topRight
    /// The bottom left corner.
    case bottomLeft
    /// The bottom right corner.
    case bottomRight

    /// The number of halves of the free columns to the left of the image: 0, 1 or 2.
    var leftHalves: Int {
        switch self {
        case .left, .topLeft, .bottomLeft: 0
        case .center, .top, .bottom: 1
        case .right, .topRight, .bottomRight: 2
        }
    }

    /// The number of halves of the free rows above the image: 0, 1 or 2.
    var topHalves: Int {
        switch self {
        case .top, .topLeft, .topRight: 0
        case .center, .left, .right: 1
        case .bottom, .bottomLeft, .bottomRight: 2
        }
    }
}

extension Thumbnail.Focus {
    /// Creates the point at which a thumbnail has this gravity.
    public init(_ gravity: Gravity) {
        self.init(x: Double(gravity.leftHalves) / 2, y: Double(gravity.topHalves) / 2)
    }
}
