/// The orientation of a stored image, by the values of Exif's Orientation tag.
public enum Orientation: Int, Hashable, Sendable, Codable, CaseIterable {
    /// Upright.
    case up = 1
    /// Mirrored horizontally.
    case upMirrored = 2
    /// Rotated by 180°.
    case down = 3
    /// Mirrored vertically.
    case downMirrored = 4
    /// Transposed: rows become columns.
    case leftMirrored = 5
    /// Must be rotated by 90° clockwise to be upright.
    case right = 6
    /// Transposed along the other diagonal.
    case rightMirrored = 7
    /// Must be rotated by 90° counterclockwise to be upright.
    case left = 8

    /// Creates the orientation of a tag's value. Unknown values count as upright.
    public init(tag: Int) { self = Orientation(rawValue: tag) ?? .up }

    /// Whether making the image upright swaps its width and height.
    public var swapsSides: Bool { rawValue >= 5 }

    /// Returns the upright size of an image stored with `size`, or vice versa.
    public func applied(to size: PixelSize) -> PixelSize { swapsSides ? size.transposed : size }
}

extension Bitmap {
    /// Returns this bitmap, which was stored with `orientation`, in upright orientation.
    public func upright(from orientation: Orientation) -> Bitmap {
        guard orientation != .up else { return self }
        let target = orientation.applied(to: size)
        let (width, height) = (size.width, size.height)
        // The target position of the first pixel, and the distances between the targets of neighbours in a row and in a
        // column.
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
