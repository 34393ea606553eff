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

    private let monitor: WorkMonitor

    /// A request to write `image` as `format`. Without a `clock`, its own one starts now.
    public init(
        image: Image, format: ImageFormat, context: ImageContext = .init(), cancellation: CancellationFlag? = nil,
        clock: WorkClock? = nil
    ) {
        let clock = clock ?? .running(limit: context.limits.workSeconds)
        let monitor = WorkMonitor(cancellation: cancellation, clock: clock, stage: .encode)
        self.init(image, format, context, monitor)
    }

    private init(_ image: Image, _ format: ImageFormat, _ context: ImageContext, _ monitor: WorkMonitor) {
        self.image = image
        self.format = format
        self.context = context
        self.monitor = monitor
    }

    /// Throws when nobody waits for the result any more, or it has taken too long. Ask once a row or frame.
    public func checkCancellation() throws { try monitor.check() }

    /// Whether to stop, for either reason: for C code that asks by callback. `checkCancellation()` then says why.
    public var isCancelled: Bool { monitor.isOver }

    /// Throws `overLimit` when a file of `byteCount` bytes is too large. Ask as it grows, and stop writing.
    public func check(outputByteCount byteCount: Int) throws(ImageError) {
        let bound = context.limits.outputByteCount
        guard byteCount <= bound else {
            throw .overLimit("outputByteCount", value: byteCount, bound: bound, stage: .encode)
        }
    }

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

extension EncodeRequest {
    /// Returns the request for the part of the image that the context asks for: only its first frame, or fewer pixels.
    func reduced() throws -> EncodeRequest {
        let whole =
            context.firstFrameOnly ? Image(info: image.info, bitmap: image.bitmap, metadata: image.metadata) : image
        guard let bound = context.maxEncodedSize else { return EncodeRequest(whole, format, context, monitor) }
        let size = Thumbnail.fit(Double(bound.width), Double(bound.height)).size(for: image.size)
        guard size != image.size else { return EncodeRequest(whole, format, context, monitor) }
        let reduced = try whole.resized(to: size, limits: context.limits, checkCancellation: checkCancellation)
        return EncodeRequest(reduced, format, context, monitor)
    }
}
