#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A coder that writes files, too.
public protocol EncodingImageCoder: ImageCoder {
    /// The formats it writes. The default: all that it reads.
    var encodableFormats: [ImageFormat] { get }

    /// All frames and alpha as they are, or an error of kind `unsupported`: never less in silence.
    ///
    /// Equal requests give equal bytes.
    func encode(_ request: EncodeRequest) throws -> Data
}

extension EncodingImageCoder {
    /// The default: all that it reads.
    public var encodableFormats: [ImageFormat] { formats }
}

/// What an encoder is asked. A struct, so that a new field breaks no plug-in.
public struct EncodeRequest: Sendable {
    /// What is to be written.
    public let image: Image

    /// One of the encoder's formats.
    public let format: ImageFormat

    /// What the caller wants, such as the quality.
    public let context: ImageContext

    private let cancellation: CancellationFlag?

    /// A request to write `image` as `format`.
    public init(
        image: Image, format: ImageFormat, context: ImageContext = .init(), cancellation: CancellationFlag? = nil
    ) {
        self.image = image
        self.format = format
        self.context = context
        self.cancellation = cancellation
    }

    /// Throws when nobody waits for the result any more. Ask once a row or frame.
    public func checkCancellation() throws { try cancellation?.check() }

    /// Whether nobody waits for the result any more: for C code that asks by callback.
    public var isCancelled: Bool { cancellation?.isSet ?? false }

    /// The still to write, or an error of kind `unsupported` where frames would be lost.
    public func still() throws(ImageError) -> Bitmap {
        guard image.animation == nil || context.firstFrameOnly else {
            throw ImageError(
                .unsupported, .encode,
                "an animation cannot be written as a still \(format); ask for the first frame only")
        }
        return image.bitmap
    }
}

private enum QualityKey: ImageContextKey {
    static var defaultValue: Double? { nil }
    // It changes files that are written, not the pixels that are delivered.
    static func cacheKeyFragment(for value: Double?) -> String? { nil }
}

private enum BackgroundKey: ImageContextKey {
    static var defaultValue: Color? { nil }
    static func cacheKeyFragment(for value: Color?) -> String? { nil }
}

extension ImageContext {
    /// The quality of lossy encoding from 0 to 1; `nil` for the encoder's default.
    public var quality: Double? {
        get { self[QualityKey.self] }
        set { self[QualityKey.self] = newValue }
    }

    /// The colour put under transparent pixels when the format to write has no alpha; `nil` makes that an error.
    public var background: Color? {
        get { self[BackgroundKey.self] }
        set { self[BackgroundKey.self] = newValue }
    }
}
