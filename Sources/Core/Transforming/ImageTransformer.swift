/// A transformer of images, which returns one bitmap for one bitmap. Core applies it to every frame of an animation.
public protocol ImageTransformer: Sendable {
    /// The identifier with all parameters, such as `Flipping(1,0)`. It becomes part of the cache key.
    ///
    /// Equal identifiers must mean equal results. Numbers are written with six decimals; no others may affect the result.
    var identifier: String { get }

    /// The thumbnail that decoding can produce instead, if this is the first transformer; usually `nil`.
    var decodingThumbnail: Thumbnail? { get }

    /// The smallest thumbnail of an image that has all the detail this transformer needs, if it is the first one; `nil` if it
    /// needs all pixels.
    ///
    /// Decoding a large image may then deliver a smaller bitmap, with at least twice as many pixels per side, or four times as
    /// many if the thumbnail is in linear light. ``TransformRequest/sourceSize`` is the size of the image itself. The result
    /// must have the same size as without, and nearly the same pixels.
    var sufficientThumbnail: Thumbnail? { get }

    /// Returns the size of the largest bitmap that this transformer allocates for an image of `size`: its result, or an
    /// intermediate bitmap if that is larger.
    ///
    /// A server checks it against its limits before ``transform(_:for:)`` allocates anything.
    func largestSize(for size: PixelSize) -> PixelSize

    /// Returns the largest number of bytes that ``transform(_:for:)`` takes for an image of `size` besides the image, including
    /// the result. A load reserves them in its ``MemoryBudget``.
    func workingByteCount(for size: PixelSize) -> Int

    /// Returns the transformer that applies to every frame of an animation what this one does to `firstFrame`, so that
    /// all results have the same size and position. It returns itself unless its work depends on the pixels, as
    /// trimming does.
    func resolved(forFirstFrame firstFrame: Bitmap, request: TransformRequest) throws -> any ImageTransformer

    /// The number of transformers that count against `DecodeLimits.transformerCount`: 1, unless it contains others.
    var transformerCount: Int { get }

    /// Returns the result for `bitmap`. It is called on a worker thread, which it may block.
    func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap
}

extension ImageTransformer {
    /// Returns `nil`, for all transformers other than thumbnails.
    public var decodingThumbnail: Thumbnail? { nil }

    /// Returns `nil`, for transformers that need all pixels.
    public var sufficientThumbnail: Thumbnail? { nil }

    /// Returns `size`, for transformers whose result is not larger.
    public func largestSize(for size: PixelSize) -> PixelSize { size }

    /// Returns the bytes of two bitmaps of the largest size: of the result, and of an intermediate one.
    public func workingByteCount(for size: PixelSize) -> Int {
        (largestSize(for: size).byteCount ?? .max).multiplied(by: 2)
    }

    /// Returns 1, for transformers that contain no others.
    public var transformerCount: Int { 1 }

    /// Returns itself, for transformers whose work does not depend on the pixels.
    public func resolved(forFirstFrame firstFrame: Bitmap, request: TransformRequest) throws -> any ImageTransformer {
        self
    }
}

extension [any ImageTransformer] {
    /// Returns the largest number of bytes that the transformers take for an image of `size`, one after the other, besides the
    /// image.
    package func workingByteCount(for size: PixelSize) -> Int {
        var (size, inputByteCount, most) = (size, 0, 0)
        for transformer in self {
            most = Swift.max(most, inputByteCount.adding(transformer.workingByteCount(for: size)))
            size = transformer.largestSize(for: size)
            inputByteCount = size.byteCount ?? .max
        }
        return most
    }
}

/// The inputs of a transformer besides the pixels. It is a struct, so that a new field breaks no plug-in.
public struct TransformRequest: Sendable {
    /// The options of the load.
    public let context: ImageContext

    /// The size of the image of which the bitmap is a reduced copy, because of
    /// ``ImageTransformer/sufficientThumbnail``; `nil` if it has all pixels.
    ///
    /// Positions and sizes are computed from it, because the sides of the copy are rounded.
    public private(set) var sourceSize: PixelSize?

    private let monitor: WorkMonitor

    /// Creates a request with the options of `context`. Without a `clock`, a new one starts now.
    public init(
        context: ImageContext = .init(), sourceSize: PixelSize? = nil, cancellation: CancellationFlag? = nil,
        clock: WorkClock? = nil
    ) {
        self.context = context
        self.sourceSize = sourceSize
        let clock = clock ?? .running(limit: context.limits.workTime)
        monitor = WorkMonitor(cancellation: cancellation, clock: clock, stage: .transform)
    }

    /// Throws if the load was cancelled or has exceeded its time. Call it once a row.
    public func checkCancellation() throws { try monitor.check() }

    /// Returns the same request for a bitmap that is a reduced copy of an image of `sourceSize`; `nil` if it is none.
    package func reduced(from sourceSize: PixelSize?) -> TransformRequest {
        var request = self
        request.sourceSize = sourceSize
        return request
    }
}
