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

    /// The ICC profile to write: that of the pixels, which are RGB; `nil` for sRGB.
    public var iccProfile: Data? {
        // Bytes 16 to 19 name the space of the colours (ICC.1, 7.2.6).
        image.metadata.iccProfile.flatMap { $0.dropFirst(16).starts(with: Array("RGB ".utf8)) ? $0 : nil }
    }

    /// The Exif to write, which says that the pixels are upright; `nil` unless the context keeps metadata.
    public var exif: Exif? { context.keepsMetadata ? image.info.exif?.upright : nil }

    /// Hands every frame to `body`, decoded one at a time; a still as one frame of duration 0.
    public func forEachFrame(_ body: (Frame) throws -> Void) throws {
        guard let animation = image.animation else { return try body(Frame(image.bitmap, duration: 0)) }
        var decoder = try animation.makeFrameDecoder()
        while let frame = try decoder.nextFrame() {
            try checkCancellation()
            try body(frame)
        }
    }

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
