public import DarkroomPlatform

/// A colour space in which pixels are delivered and written. See ``ImageContext/colorSpace``.
public enum OutputColorSpace: String, Hashable, Sendable, CaseIterable {
    /// sRGB (IEC 61966-2-1), which needs no profile.
    case sRGB = "srgb"

    /// Display P3: the primaries of digital cinema, the white and the curve of sRGB. Its red and green are those that screens
    /// of phones and many others show.
    case displayP3 = "p3"

    /// The primaries, the white and the curve.
    public var calibration: Calibration {
        var calibration = self == .displayP3 ? Calibration.primariesOfDisplayP3 : Calibration(exponent: 2.2)
        calibration.curve = .sRGB
        return calibration
    }

    /// The ICC profile to deliver with the pixels; `nil` for sRGB. It has 492 bytes.
    public var iccProfile: Data? { self == .sRGB ? nil : Data(Self.displayP3Profile) }

    // An array, because the reference within `Data` is tagged: the leak sanitizer takes what it refers to for lost.
    private static let displayP3Profile = [UInt8](MatrixProfile(displayP3.calibration, name: "Display P3").data)
}

private enum ColorSpaceKey: ImageContextKey {
    static var defaultValue: OutputColorSpace { .sRGB }
    static func effect(of value: OutputColorSpace) -> ContextEffect {
        .result(value == .sRGB ? nil : "ColorSpace(\(value.rawValue))")
    }
}

extension ImageContext {
    /// The colour space of delivered pixels. The default is sRGB.
    ///
    /// With ``OutputColorSpace/displayP3``, images whose colours exceed sRGB, RGB as well as CMYK, are converted to Display P3,
    /// whose profile is delivered and written with them. All others are delivered in sRGB, since they would gain nothing.
    /// RGB that is delivered with its own profile, by ``keepsProfile``, is not converted. It requires a colour engine such as
    /// `DarkroomColor`. Transformers write the numbers of their colours and overlays into the pixels as they are: over pixels
    /// in Display P3, the red of sRGB becomes that of Display P3, which is more saturated.
    public var colorSpace: OutputColorSpace {
        get { self[ColorSpaceKey.self] }
        set { self[ColorSpaceKey.self] = newValue }
    }
}
