public import DarkroomCore
import DarkroomPlatform
import Synchronization

/// Plays an animation in time, independently of any screen.
///
/// Reading ``play(on:every:)`` drives the playback; an app with its own frame clock calls ``start()`` and then
/// ``tick(_:)``. Frames are decoded shortly before they are needed and shared by all players of the same animation;
/// copies of an `Image` have the same animation. A frame that cannot be decoded is skipped: the previous one stays
/// visible for its duration, too. While a decode fails with an error of kind `busy`, it is repeated, and playback waits.
///
/// All members may be called from any task or thread. Only ``seek(to:loop:)`` waits for a decode.
public final class AnimationPlayer: Sendable {
    private struct State {
        var playback: Playback
        var pool: FramePool
        var member: Int
        var byteLimit = 0
        var currentFrame: Frame?

        func updatePool() {
            let needs = FramePoolState.Needs(
                nextPosition: playback.nextPosition, byteLimit: byteLimit, isPlaying: playback.isPlaying)
            pool.update(member, needs: needs)
        }
    }

    /// The executor of players that are given none: a shared one, so that many players do not create many threads.
    private static let executor = WorkExecutor(
        name: "frames", width: SystemProcessors.usableCount)

    private let state: Mutex<State>
    private let makePool: @Sendable (Animation) -> FramePool
    let outlet = EventOutlet<PlayerEvent>()

    /// Creates a paused player of `animation`; `nil` if it has fewer than two frames.
    ///
    /// `transformer` is applied to every frame when it is decoded. Players whose transformers have equal identifiers
    /// share frames; the executor and `memoryBudget` of the first player then serve all of them. `poster` is the first
    /// frame, if it is already decoded.
    public convenience init?(
        _ animation: Animation, poster: Bitmap? = nil, transformer: (any ImageTransformer)? = nil,
        executor: WorkExecutor? = nil, memoryBudget: MemoryBudget? = nil
    ) {
        self.init(
            animation, poster: poster, transformer: transformer, executor: executor ?? Self.executor,
            budget: FrameBudget(memory: memoryBudget))
    }

    /// Creates a paused player of the animation of `image`, and reuses its first frame; `nil` for a still.
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
            animation.identity.shared(transformer?.identifier) {
                FramePool(animation, transformer: transformer, executor: executor, budget: budget)
            }
        }
        let pool = makePool(animation)
        state = Mutex(
            State(
                playback: Playback(durations: animation.frameDurations, totalLoopCount: animation.loopCount),
                pool: pool, member: pool.join()))
        if let poster, transformer == nil {
            pool.adopt([0: Frame(poster, duration: animation.frameDurations[.zero])])
        }
    }

    deinit { state.withLock { $0.pool.leave($0.member) } }

    /// The number of frames.
    public var totalFrameCount: Int { state.withLock { $0.playback.seconds.count } }

    /// The number of loops after which the player stops; 0 for never. The initial value comes from the animation.
    public var totalLoopCount: Int {
        get { state.withLock { $0.playback.totalLoopCount } }
        set { state.withLock { $0.playback.totalLoopCount = newValue } }
    }

    /// The playback speed relative to the animation's own. At 0 or less, the player stops at the next tick.
    public var playbackRate: Double {
        get { state.withLock { $0.playback.rate } }
        set { state.withLock { $0.playback.rate = newValue } }
    }

    /// The order of frames.
    public var playbackMode: PlaybackMode {
        get { state.withLock { $0.playback.mode } }
        set { state.withLock { $0.playback.mode = newValue } }
    }

    /// The maximum number of bytes of decoded frames to cache: 0 for an automatic limit, 1 for the minimum that
    /// playback needs, `Int.max` for all frames. Among players of one animation, the highest limit applies.
    ///
    /// The automatic limit caches all frames of animations of up to 8 MiB, and at most 8 frames of others, within 64
    /// MiB, a fifth of the machine's memory and three fifths of its available memory.
    public var bufferByteLimit: Int {
        get { state.withLock { $0.byteLimit } }
        set {
            state.withLock { state in
                state.byteLimit = max(0, newValue)
                state.updatePool()
            }
        }
    }

    /// The frame on show; `nil` before the first one, and after ``stop()`` or the last loop.
    public var currentFrame: Frame? { state.withLock { $0.currentFrame } }

    /// The index of the frame whose turn it is. It is shown one tick after its turn has come.
    public var currentFrameIndex: Int { state.withLock { $0.playback.index } }

    /// The number of completed loops.
    public var currentLoopCount: Int { state.withLock { $0.playback.loopCount } }

    /// Whether ticks advance the playback.
    public var isPlaying: Bool { state.withLock { $0.playback.isPlaying } }

    /// Returns a sequence whose reading plays the animation.
    ///
    /// Playback starts with the iteration and pauses when the reader leaves. The sequence ends after the last loop or
    /// ``stop()``. ``pause()`` holds it until ``start()``.
    public func play<C: Clock>(
        on clock: C = ContinuousClock(), every interval: Duration = .seconds(1) / 60
    ) -> PlaybackEvents<PlayerEvent> where C.Duration == Duration {
        PlaybackEvents(of: self, on: clock, every: interval)
    }

    /// Resumes playback from the current position. From the start, the reverse modes begin with the last frame.
    public func start() { command { $0.start() } }

    /// Pauses playback at the current position.
    public func pause() { command { $0.pause() } }

    /// Stops playback, resets the position to the start, and clears the current frame. Decoded frames stay cached.
    public func stop() {
        state.withLock { state in
            state.playback.stop()
            state.currentFrame = nil
            state.updatePool()
        }
        outlet.finish()
    }

    /// Shows frame `index` as if `loop` loops were complete, once it is decoded. Has no effect if there is no such
    /// frame.
    ///
    /// Seeking neither starts nor pauses playback. If the frame cannot be decoded, nothing changes.
    public func seek(to index: Int, loop: Int = 0) async throws(ImageError) {
        let pool = state.withLock { $0.playback.seconds.indices.contains(index) && loop >= 0 ? $0.pool : nil }
        guard let pool else { return }
        do {
            show(try await pool.frame(at: index), at: index, loop: loop)
        } catch {
            throw ImageError(error, in: .decode)
        }
    }

    /// Removes all decoded frames but the current one, for all players of the animation.
    public func clearBuffer() { pool.removeAll() }

    /// Advances the playback by `time` and returns what happened: at most one frame shown and one loop completed.
    ///
    /// For apps with their own frame clock. A reader of ``play(on:every:)`` already advances the playback.
    @discardableResult
    public func tick(_ time: Duration) -> [PlayerEvent] {
        let (events, hasStopped) = state.withLock { state -> ([PlayerEvent], Bool) in
            guard state.playback.isPlaying else { return ([], false) }
            let events = Self.advance(&state, by: time.inSeconds)
            state.updatePool()
            return (events, !state.playback.isPlaying)
        }
        for event in events { outlet.send(event) }
        if hasStopped { outlet.finish() }
        return events
    }

    /// The pool of its decoded frames.
    var pool: FramePool { state.withLock { $0.pool } }

    /// Continues with `animation`, which starts with the same frames as the current one and may grow further.
    func grow(to animation: Animation) {
        let pool = makePool(animation)
        state.withLock { state in
            let member = pool.join()
            pool.adopt(state.pool.frames)
            state.pool.leave(state.member)
            (state.pool, state.member) = (pool, member)
            state.playback.seconds = animation.frameDurations.map(\.inSeconds)
            state.playback.isGrowing = true
            state.updatePool()
        }
        outlet.wake()
    }

    /// Marks the animation as still loading: until it is complete, playback runs forward and waits at the last frame.
    func setGrowing() { state.withLock { $0.playback.isGrowing = true } }

    /// Shows and returns the frame at the current position without playing. Requests its decode while it is missing.
    func frameAtPosition() -> (shown: ShownFrame?, availability: Playback.Availability) {
        let (pool, index, loop) = state.withLock { ($0.pool, $0.playback.index, $0.playback.loopCount) }
        let (frame, availability) = pool.lookUp(index)
        if availability == .missing { pool.fetch(index) }
        if let frame { show(frame, at: index, loop: loop) }
        return (frame.map { ShownFrame(index: index, frame: $0, loop: loop) }, availability)
    }

    private static func advance(_ state: inout State, by seconds: Double) -> [PlayerEvent] {
        var shown: ShownFrame?
        let loop = state.playback.loopCount
        let pool = state.pool
        let events = state.playback.tick(seconds) { index in
            let (frame, availability) = pool.lookUp(index)
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

    private func show(_ frame: Frame, at index: Int, loop: Int) {
        let exists = state.withLock { state in
            guard state.playback.seek(to: index, loop: loop) else { return false }
            state.currentFrame = frame
            state.updatePool()
            return true
        }
        if exists { outlet.send(.frame(ShownFrame(index: index, frame: frame, loop: loop))) }
    }

    private func command(_ body: (inout Playback) -> Void) {
        state.withLock { state in
            body(&state.playback)
            state.updatePool()
        }
        outlet.wake()
    }
}

extension AnimationPlayer: PlaybackSource {
    var isAdvancing: Bool { isPlaying }

    func advance(by time: Duration) { tick(time) }

    func readerDidJoin() { start() }

    func readerDidLeave() { pause() }
}
