/// Makes another picture of a picture: one frame in, one frame out. Core applies it to every frame of an animation.
public protocol ImageTransformer: Sendable {
    /// Names the work and all its parameters, such as `Flipping(1,0)`: it becomes part of the cache key.
    ///
    /// Equal identifiers must mean equal results. Numbers are written with six decimals.
    var identifier: String { get }

    /// The thumbnail that decoding could make in this transformer's stead, when nothing comes before it; usually `nil`.
    var decodingThumbnail: Thumbnail? { get }

    /// Returns the size of the largest bitmap that this transformer allocates for an image of `size`: its result, or an
    /// intermediate bitmap if that is larger.
    ///
    /// A server checks it against its limits before ``transform(_:_:)`` allocates anything.
    func largestSize(for size: PixelSize) -> PixelSize

    /// The transformer that does to every frame of an animation what this one does to `firstFrame`, so that all come out
    /// alike. Itself, unless what is done depends on the pixels, as trimming does.
    func settled(on firstFrame: Bitmap, _ request: TransformRequest) throws -> any ImageTransformer

    /// How many transformers it stands for, which `DecodeLimits.transformerCount` bounds: 1, unless it holds others.
    var transformerCount: Int { get }

    /// What becomes of `bitmap`. It runs on a thread of Core's own and may take its time.
    func transform(_ bitmap: Bitmap, _ request: TransformRequest) throws -> Bitmap
}

extension ImageTransformer {
    /// The default, for all but thumbnails: `nil`.
    public var decodingThumbnail: Thumbnail? { nil }

    /// The default, for all that make a picture no larger: `size`.
    public func largestSize(for size: PixelSize) -> PixelSize { size }

    /// The default, for all that hold no others: 1.
    public var transformerCount: Int { 1 }

    /// The default, for all whose work does not depend on the pixels: itself.
    public func settled(on firstFrame: Bitmap, _ request: TransformRequest) throws -> any ImageTransformer { self }
}

/// What a transformer is asked besides the pixels. A struct, so that a new field breaks no plug-in.
public struct TransformRequest: Sendable {
    /// What the caller of the load wants.
    public let context: ImageContext

    private let monitor: WorkMonitor

    /// A request under `context`. Without a `clock`, its own one starts now.
    public init(
        context: ImageContext = .init(), cancellation: CancellationFlag? = nil, clock: WorkClock? = nil
    ) {
        self.context = context
        let clock = clock ?? .running(limit: context.limits.workSeconds)
        monitor = WorkMonitor(cancellation: cancellation, clock: clock, stage: .transform)
    }

    /// Throws when nobody waits for the result any more, or it has taken too long. Ask once a row.
    public func checkCancellation() throws { try monitor.check() }
}
