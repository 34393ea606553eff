public import DarkroomCore

/// Takes the colour out of a picture.
///
/// Each grey is the luma of Rec. 709 of the values as they are stored, not of their light: what CSS's `grayscale(1)` and
/// ImageMagick's `-colorspace Gray` give.
public struct Greyscale: ImageTransformer {
    /// A transformer without parameters.
    public init() {}

    /// `Greyscale()`.
    public var identifier: String { "Greyscale()" }

    /// The picture in greys; alpha stays.
    public func transform(_ bitmap: Bitmap, _ request: TransformRequest) throws -> Bitmap {
        try bitmap.mapBlocks(hasAlpha: bitmap.hasAlpha, request) { words in
            // 0.2126, 0.7152 and 0.0722 in parts of 65536; their sum is 1, so that white stays white.
            let luma = (words & 255) &* 13933 &+ (words &>> 8 & 255) &* 46871 &+ (words &>> 16 & 255) &* 4732
            let grey = (luma &+ 32768) &>> 16
            return grey | grey &<< 8 | grey &<< 16 | words & 0xFF00_0000
        }
    }
}

extension ImageTransformer where Self == Greyscale {
    /// Takes the colour out.
    public static var greyscale: Greyscale { Greyscale() }
}
