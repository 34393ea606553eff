import Synchronization

/// Shows an image as a view would, on no screen in particular: a still as it is, an animation playing while visible.
///
/// Read `frames()` and draw what comes; reading is what makes time pass. An app with ticks of its own calls `tick(_:)`.
/// Anybody may call it from any task or thread.
///
/// While an image is loading, set its previews one after the other (`Image.metadata.isIncomplete`). The animation then
/// plays forward through the frames that are there, waits at the last one, and goes on when there are more. The finished
/// image plays from the start.
public final class AnimationSurface: Sendable {
    private let state: Mutex<SurfaceState>
    let relay = Relay<ShownFrame> { _, _ in true }

    /// A visible surface without an image. Frames are decoded on `executor`, or on threads that all players share.
    public init(executor: WorkExecutor? = nil) { state = Mutex(SurfaceState(executor: executor)) }

    /// What is shown. The same image again changes nothing; another one begins at its start, but see the type.
    public var image: Image? {
        get { state.withLock { $0.image } }
        set { change { $0.set(newValue) } }
    }

    /// Whether anybody could see it. It stops when hidden; see `playsAutomatically` for the way back.
    public var isVisible: Bool {
        get { state.withLock { $0.isVisible } }
        set { change { $0.setVisible(newValue) } }
    }

    /// Whether an animation plays as soon as it is visible; the default. Otherwise it takes a `start()`.
    public var playsAutomatically: Bool {
        get { state.withLock { $0.settings.playsAutomatically } }
        set {
            change {
                $0.settings.playsAutomatically = newValue
                $0.playOrStand()
            }
        }
    }

    /// How often animations play, 0 for ever; `nil`, the default, for as often as they say.
    public var loopCount: Int? {
        get { state.withLock { $0.settings.loopCount } }
        set { configure { $0.loopCount = newValue } }
    }

    /// How many times as fast animations play; at 0 or less they stop.
    public var playbackRate: Double {
        get { state.withLock { $0.settings.playbackRate } }
        set { configure { $0.playbackRate = newValue } }
    }

    /// The order of frames.
    public var playbackMode: PlaybackMode {
        get { state.withLock { $0.settings.playbackMode } }
        set { configure { $0.playbackMode = newValue } }
    }

    /// As that of `AnimationPlayer`.
    public var maxBufferByteCount: Int {
        get { state.withLock { $0.settings.maxBufferByteCount } }
        set { configure { $0.maxBufferByteCount = newValue } }
    }

    /// Whether an animation plays while it is loading; the default. Otherwise its first frame stands until then.
    public var playsWhileLoading: Bool {
        get { state.withLock { $0.settings.playsWhileLoading } }
        set {
            change {
                $0.settings.playsWhileLoading = newValue
                $0.playOrStand()
            }
        }
    }

    /// Whether stopping drops the decoded frames, for all who play the animation. The default is false.
    public var clearsBufferWhenStopped: Bool {
        get { state.withLock { $0.settings.clearsBufferWhenStopped } }
        set { configure { $0.clearsBufferWhenStopped = newValue } }
    }

    /// Whether an animation that was stopped begins anew rather than going on. The default is false.
    public var resetsFrameIndexWhenStopped: Bool {
        get { state.withLock { $0.settings.resetsFrameIndexWhenStopped } }
        set { configure { $0.resetsFrameIndexWhenStopped = newValue } }
    }

    /// Applied to every frame of an animation when it is decoded; never to a still. Another one begins at the start.
    public var transformer: (any ImageTransformer)? {
        get { state.withLock { $0.settings.transformer } }
        set { change { $0.setTransformer(newValue) } }
    }

    /// What plays the animation; `nil` for a still. To be looked at: starting it here is not noticed.
    public var player: AnimationPlayer? { state.withLock { $0.player } }

    /// What is to be seen now.
    public var shownFrame: ShownFrame? { state.withLock { $0.shown } }

    /// The player's frame; `nil` for a still, and before anything was played.
    public var currentFrame: Frame? { player?.currentFrame }

    /// The frame whose turn it is; 0 for a still.
    public var currentFrameIndex: Int { player?.currentFrameIndex ?? 0 }

    /// How many loops are over.
    public var currentLoopCount: Int { player?.currentLoopCount ?? 0 }

    /// Whether an animation plays.
    public var isPlaying: Bool { player?.isPlaying ?? false }

    /// Plays the animation from where it stands, if it is visible.
    public func start() { change { $0.start() } }

    /// Makes the animation stand still; the last frame stays to be seen.
    public func stop() { change { $0.stop() } }

    /// What is to be seen, from now on and until the reader leaves; time passes while it is read.
    ///
    /// Who reads slowly gets only the newest.
    public func frames<C: Clock>(
        on clock: C = ContinuousClock(), every interval: Duration = .seconds(1) / 60
    ) -> PlayEvents<ShownFrame> where C.Duration == Duration {
        PlayEvents(self, clock, every: interval)
    }

    /// Lets `seconds` pass, and answers the frame to be seen from now on, if it is another one.
    ///
    /// For an app with ticks of its own; while `frames()` is read, that is done already.
    @discardableResult
    public func tick(_ seconds: Double) -> ShownFrame? {
        change { state in
            state.tick(seconds)
            return state.news
        }
    }

    private func configure(_ body: (inout SurfaceSettings) -> Void) {
        change {
            body(&$0.settings)
            $0.applySettings()
        }
    }

    @discardableResult
    private func change<Result: Sendable>(_ body: (inout SurfaceState) -> Result) -> Result {
        let (result, news) = state.withLock { state in
            let result = body(&state)
            return (result, state.news.take())
        }
        if let news { relay.send(news) } else { relay.wake() }
        return result
    }
}

extension AnimationSurface: Playable {
    var isMoving: Bool { state.withLock { $0.isMoving } }

    func move(_ seconds: Double) { tick(seconds) }

    func readerCame() { if let shown = shownFrame { relay.send(shown) } }

    func readerLeft() {}
}
