/// How a stored picture must be turned to stand upright: the values of Exif's Orientation tag.
public enum Orientation: Int, Hashable, Sendable, Codable, CaseIterable {
    /// As it is.
    case up = 1
    /// Mirrored left to right.
    case upMirrored = 2
    /// Turned by 180°.
    case down = 3
    /// Mirrored top to bottom.
    case downMirrored = 4
    /// Transposed: rows become columns.
    case leftMirrored = 5
    /// To be turned by 90° clockwise.
    case right = 6
    /// Transposed along the other diagonal.
    case rightMirrored = 7
    /// To be turned by 90° counterclockwise.
    case left = 8

    /// The orientation of a tag's value; values that Exif does not know count as upright.
    public init(tag: Int) { self = Orientation(rawValue: tag) ?? .up }

    /// Whether turning it upright exchanges width and height.
    public var swapsSides: Bool { rawValue >= 5 }

    /// The size, seen upright, of a picture stored with `size`; and the other way round.
    public func applied(to size: PixelSize) -> PixelSize { swapsSides ? size.transposed : size }
}

extension Bitmap {
    /// This bitmap, stored with `orientation`, turned upright.
    public func upright(from orientation: Orientation) -> Bitmap {
        guard orientation != .up else { return self }
        let target = orientation.applied(to: size)
        let (width, height) = (size.width, size.height)
        // Where the first pixel goes, and how far apart neighbours of a row and of a column land.
        let (origin, columnStep, rowStep): (Int, Int, Int) =
            switch orientation {
            case .up: (0, 1, target.width)
            case .upMirrored: (width - 1, -1, target.width)
            case .down: (width * height - 1, -1, -target.width)
            case .downMirrored: ((height - 1) * target.width, 1, -target.width)
            case .leftMirrored: (0, target.width, 1)
            case .right: (height - 1, target.width, -1)
            case .rightMirrored: ((width - 1) * target.width + height - 1, -target.width, -1)
            case .left: ((width - 1) * target.width, -target.width, 1)
            }
        return unsafe moved(to: target) { from, to in
            for y in 0..<height {
                var destination = origin + y * rowStep
                for x in 0..<width {
                    unsafe to[destination] = from[y * width + x]
                    destination += columnStep
                }
            }
        }
    }
}
