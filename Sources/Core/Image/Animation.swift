import Synchronization

/// One frame of an animation: a complete image with the size of the canvas.
public struct Frame: Sendable {
    /// The complete image, not only the changed region.
    public var bitmap: Bitmap

    /// How long it is shown.
    public var duration: Duration

    /// A sentence about missing pixels, like those of `Image.Metadata.notes`; `nil` if the frame is complete. In their place,
    /// it shows what is beneath: usually the frame before.
    public var damage: String?

    /// Creates a frame shown for `duration`.
    public init(_ bitmap: Bitmap, duration: Duration) {
        self.bitmap = bitmap
        self.duration = duration
    }
}

/// The frames of an animated image, which are decoded on demand.
public struct Animation: Sendable {
    /// The number of times the animation plays; 0 for ever.
    public let loopCount: Int

    /// The duration of each frame.
    public let frameDurations: [Duration]

    /// The number of bytes held in memory for decoding.
    public let byteCount: Int

    /// The number of damaged frames that are noted for a result.
    static let damageNoteLimit = 8

    /// The identity that all copies of this animation share.
    package let identity: Identity

    private var makeDecoder: @Sendable () throws -> any FrameDecoder { identity.makeDecoder }

    /// Creates an animation. Each decoder that `makeDecoder` returns plays it once, from the start.
    public init(
        loopCount: Int, frameDurations: [Duration], byteCount: Int,
        makeDecoder: @escaping @Sendable () throws -> any FrameDecoder
    ) {
        self.loopCount = loopCount
        self.frameDurations = frameDurations
        self.byteCount = byteCount
        identity = Identity(makeDecoder)
    }

    /// Creates a copy of the animation with `identity`.
    init(loopCount: Int, frameDurations: [Duration], byteCount: Int, identity: Identity) {
        self.loopCount = loopCount
        self.frameDurations = frameDurations
        self.byteCount = byteCount
        self.identity = identity
    }

    /// Creates an animation of `frames`, which must have the same size. If all durations are zero, they become 0.1 seconds.
    ///
    /// A negative duration is played as zero, and cannot be encoded.
    public init(frames: [Frame], loopCount: Int = 0) {
        let isTimed = frames.contains { $0.duration != .zero }
        var timed = frames.map { Frame($0.bitmap, duration: isTimed ? $0.duration : .milliseconds(100)) }
        for index in frames.indices { timed[index].damage = frames[index].damage }
        // Pixels used by several frames are counted once. Those of the first frame are counted by the image.
        var seen = Set(frames.prefix(1).map(\.bitmap.identity))
        let others = frames.filter { seen.insert($0.bitmap.identity).inserted }
        self.init(
            loopCount: loopCount, frameDurations: timed.map(\.duration),
            byteCount: others.reduce(0) { $0 + $1.bitmap.byteCount }
        ) { [timed] in ListedFrames(frames: timed) }
    }

    /// The number of frames.
    public var frameCount: Int { frameDurations.count }

    /// Returns a decoder that plays all frames once and supports seeking. It must be used by one task only.
    public func makeFrameDecoder() throws -> any FrameDecoder {
        SeekingFrameDecoder(base: try makeDecoder(), frameCount: frameCount, makeBase: makeDecoder)
    }

    /// Decodes and returns all frames. They may take much memory, so prefer ``makeFrameDecoder()``.
    public func frames() throws -> [Frame] {
        var frames: [Frame] = []
        var decoder = try makeDecoder()
        while let frame = try decoder.nextFrame() { frames.append(frame) }
        return frames
    }

    /// Returns an animation whose frames are changed by `transform` when they are decoded.
    public func map(_ transform: @escaping @Sendable (Bitmap) throws -> Bitmap) -> Animation {
        mapFrames { $0.bitmap = try transform($0.bitmap) }
    }

    /// Returns the same animation, which calls `body` with each frame when it is decoded.
    func mapFrames(_ body: @escaping @Sendable (inout Frame) throws -> Void) -> Animation {
        Animation(loopCount: loopCount, frameDurations: frameDurations, byteCount: byteCount) { [makeDecoder] in
            MappedFrameDecoder(base: try makeDecoder(), body: body)
        }
    }
}

extension Animation {
    /// The identity of an animation. It owns the data to decode from, and leads players to the frames they share.
    package final class Identity: Sendable {
        let makeDecoder: @Sendable () throws -> any FrameDecoder

        private struct Weak {
            weak var object: (any AnyObject & Sendable)?
        }

        private let objects = Mutex<[String?: Weak]>([:])

        init(_ makeDecoder: @escaping @Sendable () throws -> any FrameDecoder) { self.makeDecoder = makeDecoder }

        /// Returns the object named `name` that the users of the animation share, which is released with the last of
        /// them. Calls `make` if there is none.
        package func shared<Object: AnyObject & Sendable>(_ name: String?, _ make: () -> Object) -> Object {
            objects.withLock { objects in
                if let object = objects[name]?.object as? Object { return object }
                let object = make()
                objects = objects.filter { $0.value.object != nil }
                objects[name] = Weak(object: object)
                return object
            }
        }
    }
}

private struct MappedFrameDecoder: FrameDecoder {
    var base: any FrameDecoder
    let body: @Sendable (inout Frame) throws -> Void

    mutating func nextFrame() throws -> Frame? {
        guard var frame = try base.nextFrame() else { return nil }
        try body(&frame)
        return frame
    }

    mutating func seek(to index: Int) throws -> Bool { try base.seek(to: index) }
}

/// Plays an array of frames.
private struct ListedFrames: FrameDecoder {
    let frames: [Frame]
    private var next = 0

    init(frames: [Frame]) { self.frames = frames }

    mutating func nextFrame() -> Frame? {
        guard next < frames.count else { return nil }
        defer { next += 1 }
        return frames[next]
    }

    mutating func seek(to index: Int) -> Bool {
        next = index
        return true
    }
}

/// Makes any decoder seekable. To go back in one that cannot seek, it creates a new decoder.
private struct SeekingFrameDecoder: FrameDecoder {
    var base: any FrameDecoder
    let frameCount: Int
    let makeBase: () throws -> any FrameDecoder
    /// The index of the next frame; `nil` if seeking has failed.
    var next: Int? = 0

    mutating func nextFrame() throws -> Frame? {
        next = next.map { $0 + 1 }
        return try base.nextFrame()
    }

    mutating func seek(to index: Int) throws -> Bool {
        guard (0..<frameCount).contains(index) else { return false }
        guard index != next else { return true }
        var start = next.take() ?? .max
        if try !base.seek(to: index) {
            if index < start {
                base = try makeBase()
                start = 0
            }
            for _ in start..<index { _ = try? base.nextFrame() }
        }
        next = index
        return true
    }
}
