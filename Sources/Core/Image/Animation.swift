/// One picture of an animation, complete and as large as the canvas.
public struct Frame: Sendable {
    /// The whole picture, not a patch.
    public var bitmap: Bitmap

    /// Seconds it is shown.
    public var duration: Double

    /// A frame shown for `duration` seconds.
    public init(_ bitmap: Bitmap, duration: Double) {
        self.bitmap = bitmap
        self.duration = duration
    }
}

/// The frames of an animated picture, decoded as they are asked for.
public struct Animation: Sendable {
    /// How often it plays; 0 for ever.
    public let loopCount: Int

    /// Seconds each frame is shown; one entry a frame.
    public let frameDurations: [Double]

    /// Bytes held to decode from.
    public let byteCount: Int

    private let makeDecoder: @Sendable () throws -> any FrameDecoder

    /// An animation whose decoder plays it once, from the start, each time one is made.
    public init(
        loopCount: Int, frameDurations: [Double], byteCount: Int,
        makeDecoder: @escaping @Sendable () throws -> any FrameDecoder
    ) {
        self.loopCount = loopCount
        self.frameDurations = frameDurations
        self.byteCount = byteCount
        self.makeDecoder = makeDecoder
    }

    /// How many frames there are.
    public var frameCount: Int { frameDurations.count }

    /// A decoder that plays all frames once. Each belongs to one task.
    public func makeFrameDecoder() throws -> any FrameDecoder { try makeDecoder() }

    /// The animation in which each frame is what `transform` makes of it, when it is asked for.
    public func map(_ transform: @escaping @Sendable (Bitmap) throws -> Bitmap) -> Animation {
        Animation(loopCount: loopCount, frameDurations: frameDurations, byteCount: byteCount) { [makeDecoder] in
            MappedFrameDecoder(base: try makeDecoder(), transform: transform)
        }
    }
}

private struct MappedFrameDecoder: FrameDecoder {
    var base: any FrameDecoder
    let transform: @Sendable (Bitmap) throws -> Bitmap

    mutating func nextFrame() throws -> Frame? {
        guard var frame = try base.nextFrame() else { return nil }
        frame.bitmap = try transform(frame.bitmap)
        return frame
    }
}
