public import DarkroomCore

/// Converts colours with Little CMS: relative colorimetric, with black point compensation.
///
/// It supports grey, RGB and CMYK profiles with matrices, curves or integer tables; floating-point tables that a profile
/// may contain in addition are ignored. A profile that changes no 8-bit colour by more than one level counts as sRGB,
/// and so does the calibration that PNG prescribes to accompany sRGB.
public struct LittleCMSConverter: ColorConverter, ImagePlugin {
    private let cache = ConversionCache()

    /// Creates a converter, which caches the most recently used conversions.
    public init() {}

    /// Returns the conversion to sRGB, or `nil` if the colours are sRGB or undescribed.
    ///
    /// A grey image may have an RGB profile, because its pixels have three equal channels.
    public func makeRowConversion(for info: ImageInfo) throws -> (any RowConversion)? {
        guard let source = ColorSource(info) else { return nil }
        return try cache.conversion(from: source)
    }

    /// Returns the conversion to `space`, or `nil` if the colours are in it, or undescribed.
    public func makeRowConversion(for info: ImageInfo, to space: OutputColorSpace) throws -> (any RowConversion)? {
        guard let source = ColorSource(info) else { return nil }
        return try cache.conversion(from: source, to: space)
    }

    /// Whether primaries or their mixtures are beyond sRGB, as those of inks always are. Greys are not.
    public func hasWideColors(_ info: ImageInfo) -> Bool {
        guard let source = ColorSource(info) else { return false }
        return (try? cache.hasWideColors(source)) == true
    }

    /// Installs the converter for all coders.
    public func install(in components: inout ImageManager.Components) { components.coders.colorConverter = self }
}
