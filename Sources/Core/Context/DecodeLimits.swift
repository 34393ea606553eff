/// What one load may cost. Every bound is finite by default; a refusal names the bound and the knob that raises it.
public struct DecodeLimits: Hashable, Sendable {
    /// The most bytes a loader may bring: 128 MiB.
    public var encodedByteCount = 128 << 20

    /// The most pixels of the stored picture, as its header tells: 100 million.
    public var pixelCount = 100_000_000

    /// The most bytes that decoding may hold at once: 512 MiB.
    public var decodedByteCount = 512 << 20

    /// The most frames of an animation: 10,000.
    public var frameCount = 10_000

    /// The most pixels of all frames of an animation together: 4 billion.
    public var animationPixelCount = 4_000_000_000

    /// The most scans of a progressive picture: 64. Each scan goes over the whole picture again.
    public var scanCount = 64

    /// The most bytes of a colour profile, and of Exif: 4 MiB each.
    public var metadataByteCount = 4 << 20

    /// The most segments, chunks or blocks of a file besides those of its pixels and frames: 4,096.
    public var segmentCount = 4_096

    /// The most transformers of one request, those inside of pipelines counted: 64.
    public var transformerCount = 64

    /// The most bytes of a file that is written: 256 MiB.
    public var outputByteCount = 256 << 20

    /// The most seconds of work on one request, which is decoding, transforming and encoding together: 10.
    ///
    /// Waiting does not count. A frame of an animation that is played later has as much time of its own.
    public var workSeconds = 10.0

    /// The bounds above.
    public static let `default` = DecodeLimits()

    /// The bounds above, to be changed one by one.
    public init() {}

    /// Throws `overLimit` when a picture with the header `info` may not be decoded.
    public func check(_ info: ImageInfo) throws(ImageError) {
        let (pixels, overflow) = info.storedSize.width.multipliedReportingOverflow(by: info.storedSize.height)
        guard info.storedSize.width > 0, info.storedSize.height > 0 else {
            throw ImageError(.corrupt, .decode, "the picture says that it is \(info.storedSize) pixels large")
        }
        guard !overflow, pixels <= pixelCount else {
            throw .overLimit("pixelCount", value: overflow ? .max : pixels, bound: pixelCount)
        }
        try check(frameCount: info.frameCount)
        let (framePixels, framesOverflow) = pixels.multipliedReportingOverflow(by: info.frameCount)
        guard info.frameCount <= 1 || (!framesOverflow && framePixels <= animationPixelCount) else {
            throw .overLimit(
                "animationPixelCount", value: framesOverflow ? .max : framePixels, bound: animationPixelCount)
        }
        for byteCount in [info.iccProfile?.count, info.exif?.data.count] where (byteCount ?? 0) > metadataByteCount {
            throw .overLimit("metadataByteCount", value: byteCount ?? 0, bound: metadataByteCount)
        }
    }

    /// Throws `overLimit` when a file has `count` segments, chunks or blocks besides those of its pixels and frames.
    public func check(segmentCount count: Int) throws(ImageError) {
        guard count <= segmentCount else { throw .overLimit("segmentCount", value: count, bound: segmentCount) }
    }

    /// Throws `overLimit` when an animation has `count` frames.
    public func check(frameCount count: Int) throws(ImageError) {
        guard count <= frameCount else { throw .overLimit("frameCount", value: count, bound: frameCount) }
    }

    /// Throws `overLimit` when decoding would hold `byteCount` bytes at once.
    public func check(decodedByteCount byteCount: Int) throws(ImageError) {
        guard byteCount <= decodedByteCount else {
            throw .overLimit("decodedByteCount", value: byteCount, bound: decodedByteCount)
        }
    }
}
