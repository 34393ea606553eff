import CAVIF
public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Decodes and encodes AVIF, still and animated, using libavif.
public struct AVIFCoder: AnimatedImageCoder, EncodingImageCoder {
    /// Creates a coder.
    public init() {}

    /// AVIF only.
    public var formats: [ImageFormat] { [.avif] }

    /// Returns whether the file declares AVIF among its brands, not only as the first one.
    public func canDecode(_ data: Data) -> Bool {
        unsafe data.prefix(4096).withUnsafeBytes { bytes in
            var head = unsafe avifROData(
                data: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), size: bytes.count)
            return unsafe bytes.count >= 12 && avifPeekCompatibleFileType(&head) != 0
        }
    }

    /// Reads the boxes, and no pixels.
    public func info(of request: InfoRequest) throws -> ImageInfo { try AVIFFile(request.data, request.limits).info }

    /// Decodes the still or the first frame at full size: AV1 cannot be decoded at a reduced size.
    public func decode(_ request: DecodeRequest) throws -> Bitmap {
        let file = try AVIFFile(request.data, request.context.limits)
        try request.checkCancellation()
        guard try file.decodeNext(request.context.limits) else {
            throw ImageError(.corrupt, .decode, "the AVIF contains no image")
        }
        try request.checkCancellation()
        return try file.bitmap(request.context.limits)
    }

    /// Returns a decoder of the frames, which AV1 stores as complete images.
    public func makeFrameDecoder(_ request: DecodeRequest) throws -> any FrameDecoder { try AVIFFrames(request) }

    /// Animations that play for ever; libavif 0.11 cannot write another number of plays.
    public func ranges(of format: ImageFormat) -> EncodingRanges {
        var ranges = EncodingRanges()
        ranges.loopCount = 0...0
        return ranges
    }

    /// Encodes all frames with the context's `quality`, of which 1 is lossless, or with its `encoderQuality`: the quantizer
    /// of AV1, from 0 to 63, of which lower ones are better.
    public func encode(_ request: EncodeRequest) throws -> Data {
        try request.check(ranges(of: request.format))
        guard request.image.animation != nil, !request.context.usesFirstFrameOnly else {
            let bitmap = request.image.bitmap
            let encoding = try AVIFEncoding(request, hasAlpha: bitmap.hasAlpha)
            try encoding.add(bitmap)
            try request.checkCancellation()
            return try encoding.file()
        }
        var hasAlpha = request.image.bitmap.hasAlpha
        if let file = try encodeFrames(of: request, hasAlpha: &hasAlpha) { return file }
        // A later frame was the first with alpha, so all are encoded again.
        guard let file = try encodeFrames(of: request, hasAlpha: &hasAlpha) else {
            throw ImageError(.internal, .encode, "the frames of the animation have changed")
        }
        return file
    }

    /// Returns the file of all frames; `nil` if one has alpha unexpectedly, of which `hasAlpha` then tells.
    private func encodeFrames(of request: EncodeRequest, hasAlpha: inout Bool) throws -> Data? {
        let encoding = try AVIFEncoding(request, hasAlpha: hasAlpha)
        var misses = false
        try request.forEachFrame { frame in
            misses = misses || frame.bitmap.hasAlpha && !hasAlpha
            if !misses { try encoding.add(frame.bitmap, for: frame.duration) }
        }
        guard !misses else {
            hasAlpha = true
            return nil
        }
        return try encoding.file()
    }
}

/// Decodes the frames of an animation in one pass. Owned by one task.
private struct AVIFFrames: FrameDecoder {
    let request: DecodeRequest
    let file: AVIFFile
    private var next = 0

    init(_ request: DecodeRequest) throws {
        self.request = request
        file = try AVIFFile(request.data, request.context.limits)
    }

    mutating func nextFrame() throws -> Frame? {
        guard next < request.info.frameCount else { return nil }
        defer { next += 1 }
        try request.checkCancellation()
        try file.decode(frame: next, request.context.limits)
        return Frame(try file.bitmap(request.context.limits), duration: request.info.frameDurations[next])
    }

    /// Seeks to a frame; libavif starts decoding at the preceding key frame.
    mutating func seek(to index: Int) -> Bool {
        next = index
        return true
    }
}
