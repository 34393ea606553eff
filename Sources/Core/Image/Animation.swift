import Synchronization

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

    /// What its copies have in common, and no other animation has.
    let identity: Identity

    private var makeDecoder: @Sendable () throws -> any FrameDecoder { identity.makeDecoder }

    /// An animation whose decoder plays it once, from the start, each time one is made.
    public init(
        loopCount: Int, frameDurations: [Double], byteCount: Int,
        makeDecoder: @escaping @Sendable () throws -> any FrameDecoder
    ) {
        self.loopCount = loopCount
        self.frameDurations = frameDurations
        self.byteCount = byteCount
        identity = Identity(makeDecoder)
    }

    /// The animation that has `identity`.
    init(loopCount: Int, frameDurations: [Double], byteCount: Int, identity: Identity) {
        self.loopCount = loopCount
        self.frameDurations = frameDurations
        self.byteCount = byteCount
        self.identity = identity
    }

    /// The animation of these frames, all of the same size. When no duration is above 0, each frame gets 0.1 s.
    public init(frames: [Frame], loopCount: Int = 0) {
        let durations = frames.map { max($0.duration, 0) }
        let isTimed = durations.contains { $0 > 0 }
        let timed = zip(frames, durations).map { Frame($0.bitmap, duration: isTimed ? $1 : 0.1) }
        // Pixels shown twice are held once; those of the first frame by the image, too, and counted there.
        var seen = Set(frames.prefix(1).map(\.bitmap.identity))
        let others = frames.filter { seen.insert($0.bitmap.identity).inserted }
        self.init(
            loopCount: loopCount, frameDurations: timed.map(\.duration),
            byteCount: others.reduce(0) { $0 + $1.bitmap.byteCount }
        ) { ListedFrames(frames: timed) }
    }

    /// How many frames there are.
    public var frameCount: Int { frameDurations.count }

    /// A decoder that plays all frames once, and can seek. Each belongs to one task.
    public func makeFrameDecoder() throws -> any FrameDecoder {
        SeekingFrameDecoder(base: try makeDecoder(), frameCount: frameCount, makeBase: makeDecoder)
    }

    /// All frames, decoded at once. They may take a lot of memory: prefer `makeFrameDecoder()`.
    public func frames() throws -> [Frame] {
        var frames: [Frame] = []
        var decoder = try makeDecoder()
        while let frame = try decoder.nextFrame() { frames.append(frame) }
        return frames
    }

    /// The animation in which each frame is what `transform` makes of it, when it is asked for.
    public func map(_ transform: @escaping @Sendable (Bitmap) throws -> Bitmap) -> Animation {
        Animation(loopCount: loopCount, frameDurations: frameDurations, byteCount: byteCount) { [makeDecoder] in
            MappedFrameDecoder(base: try makeDecoder(), transform: transform)
        }
    }
}

extension Animation {
    /// Tells an animation from all others, holds what it is decoded from, and leads its players to the frames they share.
    final class Identity: Sendable {
        let makeDecoder: @Sendable () throws -> any FrameDecoder

        private struct Weak {
            weak var pool: FramePool?
        }

        private let pools = Mutex<[String?: Weak]>([:])

        init(_ makeDecoder: @escaping @Sendable () throws -> any FrameDecoder) { self.makeDecoder = makeDecoder }

        /// The pool of frames after the transformer of this identifier, made by `make` when nobody holds one.
        func pool(transformedBy identifier: String?, _ make: () -> FramePool) -> FramePool {
            pools.withLock { pools in
                if let pool = pools[identifier]?.pool { return pool }
                let pool = make()
                pools = pools.filter { $0.value.pool != nil }
                pools[identifier] = Weak(pool: pool)
                return pool
            }
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

    mutating func seek(to index: Int) throws -> Bool { try base.seek(to: index) }
}

/// Plays a list.
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

/// Seeks with any decoder: one that can only play on is made anew.
private struct SeekingFrameDecoder: FrameDecoder {
    var base: any FrameDecoder
    let frameCount: Int
    let makeBase: () throws -> any FrameDecoder
    var next = 0

    mutating func nextFrame() throws -> Frame? {
        next += 1
        return try base.nextFrame()
    }

    mutating func seek(to index: Int) throws -> Bool {
        guard (0..<frameCount).contains(index) else { return false }
        guard index != next else { return true }
        if try !base.seek(to: index) {
            if index < next {
                base = try makeBase()
                next = 0
            }
            while next < index {
                next += 1
                _ = try? base.nextFrame()
            }
        }
        next = index
        return true
    }
}
