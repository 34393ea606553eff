/// Where a picture stands in a room that it does not fill, or which part of one that is too large is seen.
public enum Gravity: String, Sendable, CaseIterable {
    /// In the middle.
    case center
    /// At the middle of the upper edge.
    case top
    /// At the middle of the lower edge.
    case bottom
    /// At the middle of the left edge.
    case left
    /// At the middle of the right edge.
    case right
    /// In the upper left corner.
    case topLeft
    /// In the upper right corner.
    case topRight
    /// In the lower left corner.
    case bottomLeft
    /// In the lower right corner.
    case bottomRight

    /// How many halves of the free columns lie left of the picture: 0, 1 or 2.
    var leftHalves: Int {
        switch self {
        case .left, .topLeft, .bottomLeft: 0
        case .center, .top, .bottom: 1
        case .right, .topRight, .bottomRight: 2
        }
    }

    /// How many halves of the free rows lie above the picture: 0, 1 or 2.
    var topHalves: Int {
        switch self {
        case .top, .topLeft, .topRight: 0
        case .center, .left, .right: 1
        case .bottom, .bottomLeft, .bottomRight: 2
        }
    }
}
