public import DarkroomCore

/// Crops the largest part of an image that has a given aspect ratio.
public struct AspectCropping: ImageTransformer {
    private let aspectRatio: Double
    private let gravity: Gravity

    /// Creates a crop to a width of `aspectRatio`, rounded to six decimals, times the height, rounded to whole pixels
    /// and positioned by `gravity`.
    public init(aspectRatio: Double, gravity: Gravity = .center) {
        self.aspectRatio = aspectRatio.roundedToSixDecimals
        self.gravity = gravity
    }

    /// Creates a crop to the aspect ratio of `width` × `height`.
    public init(width: Double, height: Double, gravity: Gravity = .center) {
        self.init(aspectRatio: width / height, gravity: gravity)
    }

    /// The ratio and the gravity, such as `AspectCropping(1.777778,center)`.
    public var identifier: String { "AspectCropping(\(aspectRatio.sixDecimals),\(gravity.rawValue))" }

    /// Returns the cropped size, at least one pixel wide and high.
    ///
    /// - Throws: An error of kind `unsupported` if the ratio is not positive and finite.
    public func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        guard aspectRatio > 0, aspectRatio.isFinite else {
            throw aspectRatio.unsupported("the aspect ratio to crop to", allowed: "above 0 and finite")
        }
        return try bitmap.window(bitmap.window(of: cropSize(of: bitmap.size), at: gravity), for: request)
    }

    private func cropSize(of size: PixelSize) -> PixelSize {
        let (width, height) = (Double(size.width), Double(size.height))
        return width > height * aspectRatio
            ? PixelSize(max(1, Int((height * aspectRatio).rounded())), size.height)
            : PixelSize(size.width, max(1, min(size.height, Int((width / aspectRatio).rounded()))))
    }
}

extension ImageTransformer where Self == AspectCropping {
    /// Crops the largest part whose width is `aspectRatio` times its height.
    public static func crop(aspectRatio: Double, gravity: Gravity = .center) -> AspectCropping {
        AspectCropping(aspectRatio: aspectRatio, gravity: gravity)
    }
}
