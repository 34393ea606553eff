public import DarkroomCore

/// Cuts the largest part that has a given ratio of width to height out of a picture.
public struct AspectCropping: ImageTransformer {
    private let aspectRatio: Double
    private let gravity: Gravity

    /// A part whose width is its height times `aspectRatio`, to the next pixel, at the edge or corner that `gravity` tells.
    public init(aspectRatio: Double, gravity: Gravity = .center) {
        self.aspectRatio = aspectRatio
        self.gravity = gravity
    }

    /// A part of the aspect ratio of `width` × `height`.
    public init(width: Double, height: Double, gravity: Gravity = .center) {
        self.init(aspectRatio: width / height, gravity: gravity)
    }

    /// Ratio and place, such as `AspectCropping(1.777778,center)`.
    public var identifier: String { "AspectCropping(\(aspectRatio.sixDecimals),\(gravity.rawValue))" }

    /// The part, at least a pixel wide and high; an error of kind `unsupported` for a ratio that is not positive.
    public func transform(_ bitmap: Bitmap, _ request: TransformRequest) throws -> Bitmap {
        guard aspectRatio > 0, aspectRatio.isFinite else {
            throw aspectRatio.unsupported("the aspect ratio to crop to", "above 0 and finite")
        }
        return try bitmap.window(bitmap.window(of: part(of: bitmap.size), at: gravity), request)
    }

    private func part(of size: PixelSize) -> PixelSize {
        let (width, height) = (Double(size.width), Double(size.height))
        return width > height * aspectRatio
            ? PixelSize(max(1, Int((height * aspectRatio).rounded())), size.height)
            : PixelSize(size.width, max(1, min(size.height, Int((width / aspectRatio).rounded()))))
    }
}

extension ImageTransformer where Self == AspectCropping {
    /// Cuts out the largest part whose width is `aspectRatio` times its height.
    public static func crop(aspectRatio: Double, gravity: Gravity = .center) -> AspectCropping {
        AspectCropping(aspectRatio: aspectRatio, gravity: gravity)
    }
}
