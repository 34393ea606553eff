#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Synchronization

/// Plays an animation in time, on no screen in particular.
///
/// Whoever reads `play()` makes time pass; an app with a clock of its own calls `start()` and then `tick(_:)`. Frames are
/// decoded shortly before they are needed, and shared by all players of the same animation, which copies of an `Image`
/// have in common. A frame that cannot be decoded is passed over: the one before it is seen for its time, too.
///
/// Anybody may call it from any task or thread; no call but `seek` waits for pixels.
public final class AnimationPlayer: Sendable {
    private struct State {
        var playback: Playback
        var pool: FramePool
        var member: Int
        var byteLimit = 0
        var currentFrame: Frame?

        func tellPool() {
            pool.update(
                member,
                FramePoolState.Needs(
                    outlook: playback.outlook, byteLimit: byteLimit, isPlaying: playback.isPlaying))
        }
    }

    /// Where players decode that are given no executor: one for all, so that many players do not make many threads.
    private static let executor = WorkExecutor(
        name: "frames", width: ProcessInfo.processInfo.activeProcessorCount)

    private let state: Mutex<State>
    private let makePool: @Sendable (Animation) -> FramePool
    let relay = Relay<PlayerEvent> { $0.replaces($1) }

    /// A player of `animation`, which stands still; `nil` when that has less than two frames.
    ///
    /// `transformer` is applied to every frame when it is decoded. Players share frames when their transformers have equal
    /// identifiers; the executor of the first then decodes for all, on its `memoryBudget`. `poster` is the first frame, if it
    /// is known.
    public convenience init?(
        _ animation: Animation, poster: Bitmap? = nil, transformer: (any ImageTransformer)? = nil,
        executor: WorkExecutor? = nil, memoryBudget: MemoryBudget? = nil
    ) {
        self.init(
            animation, poster: poster, transformer: transformer, executor: executor ?? Self.executor,
            budget: FrameBudget(memory: memoryBudget))
    }

    /// A player of the animation of `image`, which shows its first frame at once; `nil` for a still.
    public convenience init?(
        _ image: Image, transformer: (any ImageTransformer)? = nil, executor: WorkExecutor? = nil,
        memoryBudget: MemoryBudget? = nil
    ) {
        guard let animation = image.animation else { return nil }
        self.init(
            animation, poster: image.bitmap, transformer: transformer, executor: executor, memoryBudget: memoryBudget)
    }

    init?(
        _ animation: Animation, poster: Bitmap?, transformer: (any ImageTransformer)?, executor: WorkExecutor,
        budget: FrameBudget
    ) {
        guard animation.frameCount > 1 else { return nil }
        makePool = { animation in
            animation.identity.pool(transformedBy: transformer?.identifier) {
                FramePool(animation, transformer: transformer, executor: executor, budget: budget)
            }
        }
        let pool = makePool(animation)
        state = Mutex(
            State(
                playback: Playback(durations: animation.frameDurations, totalLoopCount: animation.loopCount),
                pool: pool, member: pool.join()))
        if let poster, transformer == nil {
            pool.adopt([0: Frame(poster, duration: animation.frameDurations[0])])
        }
    }

    deinit { state.withLock { $0.pool.leave($0.member) } }

    /// How many frames there are.
    public var totalFrameCount: Int { state.withLock { $0.playback.durations.count } }

    /// After how many loops it stops; 0 for never. At first what the animation says.
    public var totalLoopCount: Int {
        get { state.withLock { $0.playback.totalLoopCount } }
        set { state.withLock { $0.playback.totalLoopCount = newValue } }
    }

    /// How many times as fast as the animation says it plays. At 0 or less it stops at the next tick.
    public var playbackRate: Double {
        get { state.withLock { $0.playback.rate } }
        set { state.withLock { $0.playback.rate = newValue } }
    }

    /// The order of frames.
    public var playbackMode: PlaybackMode {
        get { state.withLock { $0.playback.mode } }
        set { state.withLock { $0.playback.mode = newValue } }
    }

    /// The most bytes of decoded frames to keep: 0 for a choice of Darkroom's own, 1 for no more than it takes to play,
    /// `Int.max` for all frames. Of several players of one animation the most generous holds.
    ///
    /// Left to itself it keeps animations of up to 8 MiB whole, and at most 8 frames of others, within 64 MiB, a fifth
    /// of the machine's memory and three fifths of what is free.
    public var maxBufferByteCount: Int {
        get { state.withLock { $0.byteLimit } }
        set { state.withLock { $0.byteLimit = max(0, newValue) } }
    }

    /// The frame to be seen; `nil` before the first, and after `stop()` or the last loop.
    public var currentFrame: Frame? { state.withLock { $0.currentFrame } }

    /// The frame whose turn it is; it is shown one tick after its turn came.
    public var currentFrameIndex: Int { state.withLock { $0.playback.index } }

    /// How many loops are over.
    public var currentLoopCount: Int { state.withLock { $0.playback.loopCount } }

    /// Whether ticks move it.
    public var isPlaying: Bool { state.withLock { $0.playback.isPlaying } }

    /// Plays while it is read: starts, ends with the last loop or `stop()`, and pauses when its reader leaves.
    ///
    /// `pause()` holds it until `start()`.
    public func play<C: Clock>(
        on clock: C = ContinuousClock(), every interval: Duration = .seconds(1) / 60
    ) -> PlayEvents<PlayerEvent> where C.Duration == Duration {
        PlayEvents(self, clock, every: interval)
    }

    /// Lets ticks move it on from where it stands. The reverse modes begin with the last frame.
    public func start() { command { $0.start() } }

    /// Makes it stand still, and keeps everything.
    public func pause() { command { $0.pause() } }

    /// Goes back to the beginning and stands still, without a frame. What was decoded is kept.
    public func stop() {
        state.withLock { state in
            state.playback.stop()
            state.currentFrame = nil
            state.tellPool()
        }
        relay.finish()
    }

    /// Shows frame `index` as if `loop` loops were over, when it has been decoded. Does nothing where there is none.
    ///
    /// It neither starts nor pauses. When the frame cannot be decoded everything stays as it was.
    public func seek(to index: Int, loop: Int = 0) async throws(ImageError) {
        let pool = state.withLock { $0.playback.durations.indices.contains(index) && loop >= 0 ? $0.pool : nil }
        guard let pool else { return }
        do {
            show(try await pool.frame(at: index), index, loop)
        } catch {
            throw ImageError(error, in: .decode)
        }
    }

    /// Drops all decoded frames but the current one, for all players of the animation.
    public func clearBuffer() { pool.removeAll() }

    /// Lets `seconds` pass, and answers what happened: at most one frame to show, and one loop that ended.
    ///
    /// For an app with ticks of its own; while `play()` is read, that is done already.
    @discardableResult
    public func tick(_ seconds: Double) -> [PlayerEvent] {
        let (events, hasStopped) = state.withLock { state -> ([PlayerEvent], Bool) in
            guard state.playback.isPlaying else { return ([], false) }
            let events = Self.tick(&state, seconds)
            state.tellPool()
            return (events, !state.playback.isPlaying)
        }
        for event in events { relay.send(event) }
        if hasStopped { relay.finish() }
        return events
    }

    /// Where its frames are.
    var pool: FramePool { state.withLock { $0.pool } }

    /// Goes on with `animation`, which begins with the frames of the one before, and may grow further.
    func grow(to animation: Animation) {
        let pool = makePool(animation)
        state.withLock { state in
            let member = pool.join()
            pool.adopt(state.pool.frames)
            state.pool.leave(state.member)
            (state.pool, state.member) = (pool, member)
            state.playback.durations = animation.frameDurations
            state.playback.isGrowing = true
            state.tellPool()
        }
        relay.wake()
    }

    /// Lets more frames come: until then it plays forward and waits at the last frame.
    func setGrowing() { state.withLock { $0.playback.isGrowing = true } }

    /// The frame it stands at, which is shown without playing; asked for again as long as it is missing.
    func standingFrame() -> (shown: ShownFrame?, availability: Playback.Availability) {
        let (pool, index, loop) = state.withLock { ($0.pool, $0.playback.index, $0.playback.loopCount) }
        let (frame, availability) = pool.look(at: index)
        if availability == .missing { pool.fetch(index) }
        if let frame { show(frame, index, loop) }
        return (frame.map { ShownFrame(index: index, frame: $0, loop: loop) }, availability)
    }

    private static func tick(_ state: inout State, _ seconds: Double) -> [PlayerEvent] {
        var shown: ShownFrame?
        let loop = state.playback.loopCount
        let pool = state.pool
        let events = state.playback.tick(seconds) { index in
            let (frame, availability) = pool.look(at: index)
            shown = frame.map { ShownFrame(index: index, frame: $0, loop: loop) }
            return availability
        }
        if let shown { state.currentFrame = shown.frame }
        if !state.playback.isPlaying { state.currentFrame = nil }
        return events.compactMap { event in
            switch event {
            case .shown: shown.map(PlayerEvent.frame)
            case .loopEnded(let count): .loopEnded(count)
            }
        }
    }

    private func show(_ frame: Frame, _ index: Int, _ loop: Int) {
        let isThere = state.withLock { state in
            guard state.playback.seek(to: index, loop: loop) else { return false }
            state.currentFrame = frame
            state.tellPool()
            return true
        }
        if isThere { relay.send(.frame(ShownFrame(index: index, frame: frame, loop: loop))) }
    }

    private func command(_ body: (inout Playback) -> Void) {
        state.withLock { state in
            body(&state.playback)
            state.tellPool()
        }
        relay.wake()
    }
}

extension AnimationPlayer: Playable {
    var isMoving: Bool { isPlaying }

    func move(_ seconds: Double) { tick(seconds) }

    func readerCame() { start() }

    func readerLeft() { pause() }
}
