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

    /// The most seconds by the clock that decoding one picture, or one frame of an animation, may take: 10.
    public var decodeSeconds = 10.0

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
        guard info.frameCount <= frameCount else {
            throw .overLimit("frameCount", value: info.frameCount, bound: frameCount)
        }
        let (framePixels, framesOverflow) = pixels.multipliedReportingOverflow(by: info.frameCount)
        guard info.frameCount <= 1 || (!framesOverflow && framePixels <= animationPixelCount) else {
            throw .overLimit(
                "animationPixelCount", value: framesOverflow ? .max : framePixels, bound: animationPixelCount)
        }
        for byteCount in [info.iccProfile?.count, info.exif?.data.count] where (byteCount ?? 0) > metadataByteCount {
            throw .overLimit("metadataByteCount", value: byteCount ?? 0, bound: metadataByteCount)
        }
    }

    /// Throws `overLimit` when decoding would hold `byteCount` bytes at once.
    public func check(decodedByteCount byteCount: Int) throws(ImageError) {
        guard byteCount <= decodedByteCount else {
            throw .overLimit("decodedByteCount", value: byteCount, bound: decodedByteCount)
        }
    }
}
