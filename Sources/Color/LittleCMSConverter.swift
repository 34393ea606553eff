public import DarkroomCore

/// Colour conversion over Little CMS: relative colorimetric, with black point compensation.
///
/// It reads the profiles of grey, RGB and inks that have matrices, curves or tables of integers; the tables of floating
/// point numbers that a profile may have besides are passed over. What changes no 8-bit colour by more than one level
/// counts as sRGB, and so does the calibration that PNG prescribes to go with sRGB.
public struct LittleCMSConverter: ColorConverter, ImagePlugin {
    private let cache = ConversionCache()

    /// A converter, which remembers the conversions used last.
    public init() {}

    /// A grey picture may have a profile of RGB, for its pixels come with three equal channels.
    public func makeRowConversion(for info: ImageInfo) throws -> (any RowConversion)? {
        guard let source = ColorSource(info) else { return nil }
        return try cache.conversion(from: source)
    }

    /// Makes it the converter of all coders.
    public func install(in components: inout ImageManager.Components) { components.coders.colorConverter = self }
}
