public import DarkroomCore

/// Blurs an image with an approximate Gaussian: three box filters on premultiplied colours.
public struct Blur: ImageTransformer {
    private let radius: Double
    private let inLinearLight: Bool

    /// Creates a blur of `radius` pixels, 0 to 16384. A positive radius below 2 counts as 2.
    ///
    /// In linear light, the light spreads as in a lens, so that bright spots grow; this takes about three times as
    /// long.
    public init(radius: Double, inLinearLight: Bool = false) {
        self.radius = radius.roundedToSixDecimals
        self.inLinearLight = inLinearLight
    }

    /// The radius, such as `Blur(5.000000)`, or `Blur(5.000000,linear)`.
    public var identifier: String { "Blur(\(radius.sixDecimals)\(inLinearLight ? ",linear" : ""))" }

    /// Returns 20 bytes for each pixel: up to 16 for sums and wide pixels, and 4 for the result.
    public func workingByteCount(for size: PixelSize) -> Int { (size.byteCount ?? .max).multiplied(by: 5) }

    /// Returns the blurred image, in the same size; unchanged for radius 0.
    public func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        // Up to this radius, the sums of a column fit in 32 bits.
        try (0...16384).require(radius, name: "the blur's radius")
        guard radius > 0 else { return bitmap }
        return inLinearLight
            ? try LinearLightBlur(boxRadius: boxRadius).blur(bitmap, for: request)
            : try SRGBBlur(boxRadius: boxRadius).blur(bitmap, for: request)
    }

    /// The radius of the three boxes that approximate the Gaussian: W3C, "Filter Effects", but always with an odd width.
    private var boxRadius: Int {
        Int((max(radius, 2) * 3 * (2 * Double.pi).squareRoot() / 4 + 0.5).rounded(.down)) / 2
    }
}

extension ImageTransformer where Self == Blur {
    /// Blurs by `radius` pixels.
    public static func blur(radius: Double, inLinearLight: Bool = false) -> Blur {
        Blur(radius: radius, inLinearLight: inLinearLight)
    }
}
