/// The rule that selects the file format of an encoded result.
public struct EncodedFormat: Sendable {
    /// The identifier of the rule in the cache key. Rules with equal identifiers must select equal formats.
    public let identifier: String

    private let selection: @Sendable (Image, CoderRegistry) throws -> ImageFormat

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - identifier: The contribution to the cache key.
    ///   - select: Returns the format for a finished image. An error that it throws is that of the load. It is called
    ///     once for each file that is made, on a thread for blocking work.
    public init(identifier: String, select: @escaping @Sendable (Image) throws -> ImageFormat) {
        self.identifier = identifier
        selection = { image, _ in try select(image) }
    }

    private init(identifier: String, selection: @escaping @Sendable (Image, CoderRegistry) throws -> ImageFormat) {
        self.identifier = identifier
        self.selection = selection
    }

    /// Returns the rule that always selects `format`.
    public static func only(_ format: ImageFormat) -> EncodedFormat {
        EncodedFormat(identifier: format.identifier) { _, _ in format }
    }

    /// The format of the source if an installed coder encodes it and it can represent the image. Otherwise PNG for
    /// images with alpha or frames, and JPEG for all others.
    public static let automatic = EncodedFormat(identifier: "automatic") { image, coders in
        // The coder of JPEG would drop both.
        image.info.format == .jpeg && image.hasAlphaOrFrames ? .png : coders.format(for: image)
    }

    /// A format without visible loss at ``DefaultQuality/stored(at:)``, for results that a manager stores: JPEG for opaque
    /// stills, and WebP for large ones with alpha. It is PNG for those with a longer side below 480 pixels and alpha, for
    /// pictures of less than 1,024 pixels, for animations, for graphics, which have large areas of one colour, and if no
    /// installed coder encodes the other.
    public static let visuallyLossless = EncodedFormat(identifier: "visuallyLossless") { image, coders in
        let format = image.visuallyLosslessFormat
        return coders.encoder(for: format) == nil ? .png : format
    }

    /// The rule for images from which others are made: results may have losses, but originals must not.
    var forOriginals: EncodedFormat { identifier == Self.visuallyLossless.identifier ? .only(.png) : self }

    /// Returns the format in which one of `coders` encodes `image`.
    func format(for image: Image, coders: CoderRegistry) throws -> ImageFormat { try selection(image, coders) }
}

enum EncodedFormatKey: ImageContextKey {
    static var defaultValue: EncodedFormat { .automatic }
    static func effect(of value: EncodedFormat) -> ContextEffect { .file("Format(\(value.identifier))") }
}

extension ImageContext {
    /// The rule for the file format of ``ImageManager/encoded(_:context:as:onEvent:)``. The default is
    /// ``EncodedFormat/automatic``. It does not affect ``ImageManager/load(_:context:)``.
    public var encodedFormat: EncodedFormat {
        get { self[EncodedFormatKey.self] }
        set { self[EncodedFormatKey.self] = newValue }
    }
}

extension Image {
    /// The largest side that JPEG and WebP can store.
    private static let longestSide = 16_383

    /// The number of pixels below which the tables of a JPEG take more bytes than it saves.
    private static let tinyPixelCount = 1024

    /// The smallest format without visible losses.
    ///
    /// WebP stores chroma at half the resolution. Photographs with alpha have a SSIMULACRA2 above 90 all the same, whatever
    /// their size, but sharp edges between strong colours have about 84. Small pictures with alpha are often cut-outs and
    /// drawings with such edges, and lose little by being PNGs, of 36 kB instead of 11 at 180 pixels.
    fileprivate var visuallyLosslessFormat: ImageFormat {
        let side = max(size.width, size.height)
        guard animation == nil, side <= Self.longestSide, size.pixelCount >= Self.tinyPixelCount, !bitmap.isFlat else {
            return .png
        }
        guard bitmap.hasAlpha else { return .jpeg }
        return side < DefaultQuality.largeSide ? .png : .webp
    }
}
