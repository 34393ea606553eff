public import DarkroomCore

/// Blurs a picture about as a Gaussian does: by three box filters, in premultiplied space.
public struct Blur: ImageTransformer {
    private let radius: Double
    private let inLinearLight: Bool

    /// A blur of `radius` pixels, 0 to 16384. Beyond 0 it counts as at least 2.
    ///
    /// In linear light, light spreads as in a lens, so that bright spots grow; it takes about three times as long.
    public init(radius: Double, inLinearLight: Bool = false) {
        self.radius = radius
        self.inLinearLight = inLinearLight
    }

    /// The radius, such as `Blur(5.000000)`, or `Blur(5.000000,linear)`.
    public var identifier: String { "Blur(\(radius.sixDecimals)\(inLinearLight ? ",linear" : ""))" }

    /// The blurred picture, as large as before; the same for radius 0.
    public func transform(_ bitmap: Bitmap, _ request: TransformRequest) throws -> Bitmap {
        // Up to here the sums of a column fit 32 bits.
        try (0...16384).require(radius, "the blur's radius")
        guard radius > 1.19e-7 else { return bitmap }
        return inLinearLight
            ? try LightBlur(reach: reach).blur(bitmap, request) : try ValueBlur(reach: reach).blur(bitmap, request)
    }

    /// How far the boxes reach that three of make a Gaussian: W3C, "Filter Effects", with an odd width always.
    private var reach: Int {
        Int((max(radius, 2) * 3 * (2 * Double.pi).squareRoot() / 4 + 0.5).rounded(.down)) / 2
    }
}

extension ImageTransformer where Self == Blur {
    /// Blurs by `radius` pixels.
    public static func blur(radius: Double, inLinearLight: Bool = false) -> Blur {
        Blur(radius: radius, inLinearLight: inLinearLight)
    }
}
