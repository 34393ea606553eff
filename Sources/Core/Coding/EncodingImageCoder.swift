public import DarkroomPlatform

/// A coder that also encodes images.
public protocol EncodingImageCoder: ImageCoder {
    /// The formats that the coder encodes. The default is `formats`.
    var encodableFormats: [ImageFormat] { get }

    /// Returns the values of an animation that `format`, one of `encodableFormats`, can store. Core checks them before
    /// `encode`. The default is any loop count, and any finite duration.
    func ranges(of format: ImageFormat) -> EncodingRanges

    /// Returns the encoded image with all frames and alpha. It must never drop them silently. Equal requests must
    /// return equal bytes.
    ///
    /// - Throws: An error of kind `unsupported` if the format cannot represent the image.
    func encode(_ request: EncodeRequest) throws -> Data

    /// Returns the file of `request` without metadata: Exif, XMP, IPTC, comments, previews, and bytes that belong to no
    /// part of the format. Its pixels, frames and colours are those of the file, bit by bit.
    ///
    /// It is called for a file in one of `encodableFormats` that the coder has decoded without a note. The file is upright
    /// without its metadata. `nil`, the default, has the image encoded instead.
    func fileWithoutMetadata(_ request: InfoRequest) throws -> Data?

    /// Returns `file`, which `fileWithoutMetadata` has made of the image's original, with the Exif, the XMP, the IPTC metadata
    /// and the comments of `request`. `nil`, the default, has the image encoded instead.
    func file(_ file: Data, withMetadataOf request: EncodeRequest) throws -> Data?

    /// Whether `encode` itself keeps files of `format` within ``ImageContext/encodedByteLimit``, as far as that is possible.
    ///
    /// If not, which is the default, Core encodes at up to six qualities. A coder of lossless files returns `true`, because
    /// the quality does not change them.
    func observesByteLimit(of format: ImageFormat) -> Bool
}

extension EncodingImageCoder {
    /// The formats that the coder decodes.
    public var encodableFormats: [ImageFormat] { formats }

    /// Returns the default ranges.
    public func ranges(of format: ImageFormat) -> EncodingRanges { EncodingRanges() }

    /// Returns `nil`: the image is encoded.
    public func fileWithoutMetadata(_ request: InfoRequest) throws -> Data? { nil }

    /// Returns `nil`: the image is encoded.
    public func file(_ file: Data, withMetadataOf request: EncodeRequest) throws -> Data? { nil }

    /// Returns `false`: Core searches for the quality.
    public func observesByteLimit(of format: ImageFormat) -> Bool { false }
}

/// A request to encode an image. It is a struct, so that a new field breaks no plug-in.
public struct EncodeRequest: Sendable {
    /// The image to encode.
    public let image: Image

    /// The format, one of those of the encoder.
    public let format: ImageFormat

    /// The options, such as the quality.
    public let context: ImageContext

    /// The converter to sRGB; `nil` if no colour engine is installed.
    public let colorConverter: (any ColorConverter)?

    /// The reasons to stop early.
    package let monitor: WorkMonitor

    /// Creates a request to encode `image` as `format`. Without a `clock`, a new one starts now.
    public init(
        image: Image, format: ImageFormat, context: ImageContext = .init(),
        colorConverter: (any ColorConverter)? = nil, cancellation: CancellationFlag? = nil, clock: WorkClock? = nil
    ) {
        self.image = image
        self.format = format
        self.context = context
        self.colorConverter = colorConverter
        let clock = clock ?? .running(limit: context.limits.workTime)
        monitor = WorkMonitor(cancellation: cancellation, clock: clock, stage: .encode)
    }

    /// Creates the request `other` for another image, and for another context if there is one.
    init(_ image: Image, like other: EncodeRequest, context: ImageContext? = nil) {
        self.image = image
        format = other.format
        self.context = context ?? other.context
        colorConverter = other.colorConverter
        monitor = other.monitor
    }

    /// Returns the request with other options.
    func with(_ change: (inout ImageContext) -> Void) -> EncodeRequest {
        var context = context
        change(&context)
        return EncodeRequest(image, like: self, context: context)
    }

    /// Throws if the request was cancelled or has exceeded its time. Call it once a row or frame.
    public func checkCancellation() throws { try monitor.check() }

    /// Whether to stop, for callbacks of C code. `checkCancellation()` then throws the reason.
    public var isCancelled: Bool { monitor.isOver }

    /// Throws an error of kind `overLimit` if a file of `byteCount` bytes is too large. Call it as the output grows.
    public func check(outputByteCount byteCount: Int) throws(ImageError) {
        let bound = context.limits.outputByteCount
        guard byteCount <= bound else {
            throw .overLimit("outputByteCount", value: byteCount, bound: bound, stage: .encode)
        }
    }

    /// The ICC profile of the RGB pixels, to be written; `nil` for sRGB.
    public var iccProfile: Data? {
        // Bytes 16 to 19 are the signature of the colour space (ICC.1, 7.2.6).
        image.metadata.iccProfile.flatMap { $0.dropFirst(16).starts(with: Array("RGB ".utf8)) ? $0 : nil }
    }

    /// The Exif metadata to write: upright, with the size of the image, and without thumbnails. `nil` if the context keeps
    /// none of it, and for a broken structure.
    public var exif: Exif? {
        guard !context.keptMetadata.isDisjoint(with: [.exif, .copyright, .location]), let exif = image.info.exif else {
            return nil
        }
        let isSRGB = image.metadata.iccProfile == nil
        return ExifWriter(exif, keeping: context.keptMetadata, size: image.size, isSRGB: isSRGB)?.exif
    }

    /// The XMP packet to write, without thumbnails and without claims about the pixels of the original, such as its size,
    /// orientation and gain map. `nil` if the context keeps none of it, and for a broken packet.
    public var xmp: XMP? {
        guard !context.keptMetadata.isDisjoint(with: [.xmp, .copyright, .location]), let xmp = image.info.xmp else {
            return nil
        }
        return XMPFilter(xmp, keeping: context.keptMetadata).filtered()
    }

    /// The IPTC metadata to write, without previews and claims about the pixels of the original. `nil` if the context keeps
    /// none of it, or if nothing remains.
    public var iptc: Data? {
        image.info.iptc.flatMap { IPTCFilter.filtered($0, keeping: context.keptMetadata) }
    }

    /// The comments to write; empty unless the context keeps them.
    public var comments: [String] { context.keptMetadata.contains(.comments) ? image.info.comments : [] }

    /// Whether there is any metadata to write.
    var hasMetadata: Bool { exif != nil || xmp != nil || iptc != nil || !comments.isEmpty }

    /// Calls `body` with every frame, decoded one at a time. A still is one frame of duration zero.
    public func forEachFrame(_ body: (Frame) throws -> Void) throws {
        guard let animation = image.animation else { return try body(Frame(image.bitmap, duration: .zero)) }
        var decoder = try animation.makeFrameDecoder()
        while let frame = try decoder.nextFrame() {
            try checkCancellation()
            try body(frame)
        }
    }

    /// Returns the still to encode. Throws an error of kind `unsupported` if frames would be lost.
    public func still() throws(ImageError) -> Bitmap {
        guard image.animation == nil || context.usesFirstFrameOnly else {
            throw ImageError(
                .unsupported, .encode,
                "an animation cannot be written as a still \(format); set context.usesFirstFrameOnly to write its first frame"
            )
        }
        return image.bitmap
    }
}

extension EncodeRequest {
    /// Returns the request for the part of the image that the context selects: only its first frame, or fewer pixels.
    func reduced() throws -> EncodeRequest {
        let whole = context.usesFirstFrameOnly ? image.firstFrame : image
        let size = context.encodedSize(of: image)
        guard size != image.size else { return with(whole) }
        let reduced = try whole.resized(to: size, limits: context.limits, checkCancellation: checkCancellation)
        return with(reduced)
    }

    private func with(_ image: Image) -> EncodeRequest { EncodeRequest(image, like: self) }
}

extension ImageContext {
    /// Returns the size in pixels of the file into which `image` is encoded.
    func encodedSize(of image: Image) -> PixelSize {
        guard let bound = encodedSizeLimit else { return image.size }
        let sides = [bound.width, bound.height].map { $0 > 0 ? Double($0) : Thumbnail.unbounded }
        return Thumbnail.fit(sides[0], sides[1]).size(for: image.size)
    }
}
