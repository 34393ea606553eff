/// The resource limits of one load. All are finite by default. An error names the limit and the setting that raises it.
public struct DecodeLimits: Hashable, Sendable {
    /// The maximum number of bytes from a loader. The default is 128 MiB.
    public var encodedByteCount = 128 << 20

    /// The maximum number of pixels of the stored image, according to its header. The default is 100 million.
    public var pixelCount = 100_000_000

    /// The maximum number of bytes that decoding holds at once. The default is 512 MiB.
    public var decodedByteCount = 512 << 20

    /// The maximum number of frames of an animation. The default is 10,000.
    public var frameCount = 10_000

    /// The maximum number of pixels of all frames of an animation together. The default is 4 billion.
    public var animationPixelCount = 4_000_000_000

    /// The maximum number of scans of a progressive image, each of which covers the whole image. The default is 64.
    public var scanCount = 64

    /// The maximum size of a colour profile, and of Exif metadata, in bytes. The default is 4 MiB.
    ///
    /// It also limits XMP, IPTC metadata, and all comments together, which are ignored if they are larger.
    public var metadataByteCount = 4 << 20

    /// The maximum number of segments, chunks or blocks besides those of pixels and frames. The default is 4,096.
    public var segmentCount = 4_096

    /// The maximum number of transformers of a request, including those in pipelines. The default is 64.
    public var transformerCount = 64

    /// The maximum size of an encoded file in bytes. The default is 256 MiB.
    public var outputByteCount = 256 << 20

    /// The maximum processor time for decoding, transforming and encoding together. The default is 10 seconds.
    ///
    /// Waiting does not count, not even for a processor that is busy with other work. Only the thread of the load counts,
    /// not those that a library starts. Each frame of an animation that is decoded later has the same time again, and so
    /// has seeking to it.
    public var workTime = Duration.seconds(10)

    /// All limits but that of time.
    package static let numbers: [any WritableKeyPath<DecodeLimits, Int> & Sendable] = [
        \.encodedByteCount, \.pixelCount, \.decodedByteCount, \.frameCount, \.animationPixelCount, \.scanCount,
        \.metadataByteCount, \.segmentCount, \.transformerCount, \.outputByteCount,
    ]

    /// The default limits.
    public static let `default` = DecodeLimits()

    /// Creates the default limits.
    public init() {}

    /// Throws an error of kind `overLimit` if an image with the header `info` must not be decoded.
    public func check(_ info: ImageInfo) throws(ImageError) {
        let (pixels, overflow) = info.storedSize.width.multipliedReportingOverflow(by: info.storedSize.height)
        guard info.storedSize.width > 0, info.storedSize.height > 0 else {
            throw ImageError(.corrupt, .decode, "the header declares a size of \(info.storedSize) pixels")
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

    /// Throws an error of kind `overLimit` if `count` segments, chunks or blocks besides those of pixels and frames are
    /// too many.
    public func check(segmentCount count: Int) throws(ImageError) {
        guard count <= segmentCount else { throw .overLimit("segmentCount", value: count, bound: segmentCount) }
    }

    /// Throws an error of kind `overLimit` if `count` frames are too many.
    public func check(frameCount count: Int) throws(ImageError) {
        guard count <= frameCount else { throw .overLimit("frameCount", value: count, bound: frameCount) }
    }

    /// Throws an error of kind `overLimit` and stage `load` if an encoded image of `byteCount` bytes is too large.
    public func check(encodedByteCount byteCount: Int) throws(ImageError) {
        guard byteCount <= encodedByteCount else {
            throw .overLimit("encodedByteCount", value: byteCount, bound: encodedByteCount, stage: .load)
        }
    }

    /// Throws an error of kind `overLimit` if `byteCount` bytes are too many for decoding to hold at once.
    public func check(decodedByteCount byteCount: Int) throws(ImageError) {
        guard byteCount <= decodedByteCount else {
            throw .overLimit("decodedByteCount", value: byteCount, bound: decodedByteCount)
        }
    }
}
