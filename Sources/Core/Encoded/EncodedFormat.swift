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

    /// Returns the format in which one of `coders` encodes `image`.
    func format(for image: Image, coders: CoderRegistry) throws -> ImageFormat { try selection(image, coders) }
}

private enum EncodedFormatKey: ImageContextKey {
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
