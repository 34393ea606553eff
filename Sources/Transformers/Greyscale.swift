public import DarkroomCore

/// Converts an image to greyscale.
///
/// Each grey is the Rec. 709 luma of the stored values, not of their linear light, as in CSS's `grayscale(1)` and
/// ImageMagick's `-colorspace Gray`.
public struct Greyscale: ImageTransformer {
    /// Creates the transformer, which has no parameters.
    public init() {}

    /// `Greyscale()`.
    public var identifier: String { "Greyscale()" }

    /// Returns the image in greys; alpha is unchanged.
    public func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        try bitmap.mapBlocks(hasAlpha: bitmap.hasAlpha, for: request) { words in
            // 0.2126, 0.7152 and 0.0722 in units of 1/65536; their sum is 1, so that white stays white.
            let luma = (words & 255) &* 13933 &+ (words &>> 8 & 255) &* 46871 &+ (words &>> 16 & 255) &* 4732
            let grey = (luma &+ 32768) &>> 16
            return grey | grey &<< 8 | grey &<< 16 | words & 0xFF00_0000
        }
    }
}

extension ImageTransformer where Self == Greyscale {
    /// Converts to greyscale.
    public static var greyscale: Greyscale { Greyscale() }
}
