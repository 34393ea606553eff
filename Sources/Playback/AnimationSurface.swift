public import DarkroomCore
import Synchronization

/// Presents an image as a view would, independently of any screen: a still as it is, an animation playing while
/// visible.
///
/// Read ``frames(on:every:)`` and draw each frame; reading drives the playback. An app with its own frame clock calls
/// ``tick(_:)`` instead. All members may be called from any task or thread.
///
/// While an image is loading, set its previews one after the other (`Image.metadata.isPreview`). The animation then
/// plays forward through the frames loaded so far, waits at the last one, and continues when there are more. The
/// complete image plays from the start.
public final class AnimationSurface: Sendable {
    private let state: Mutex<SurfaceState>
    let outlet = EventOutlet<ShownFrame>()

    /// Creates a visible surface without an image. Frames are decoded on `executor`, or else on the threads that all
    /// players share, and are part of `memoryBudget`.
    public init(executor: WorkExecutor? = nil, memoryBudget: MemoryBudget? = nil) {
        state = Mutex(SurfaceState(executor: executor, memoryBudget: memoryBudget))
    }

    /// The image on show. Setting the same image again has no effect; a different one starts over, unless it is the
    /// next preview of an animation that is loading.
    public var image: Image? {
        get { state.withLock { $0.image } }
        set { change { $0.set(newValue) } }
    }

    /// Whether the surface is visible. Hiding it stops the animation; ``playsAutomatically`` determines whether showing
    /// it resumes.
    public var isVisible: Bool {
        get { state.withLock { $0.isVisible } }
        set { change { $0.setVisible(newValue) } }
    }

    /// Whether an animation plays as soon as the surface is visible. The default is `true`; otherwise call ``start()``.
    public var playsAutomatically: Bool {
        get { state.withLock { $0.settings.playsAutomatically } }
        set {
            change {
                $0.settings.playsAutomatically = newValue
                $0.playOrPause()
            }
        }
    }

    /// The number of loops to play, 0 for no limit. The default is `nil`, the count of each animation.
    public var loopCount: Int? {
        get { state.withLock { $0.settings.loopCount } }
        set { configure { $0.loopCount = newValue } }
    }

    /// The playback speed relative to the animation's own. At 0 or less, animations stop.
    public var playbackRate: Double {
        get { state.withLock { $0.settings.playbackRate } }
        set { configure { $0.playbackRate = newValue } }
    }

    /// The order of frames.
    public var playbackMode: PlaybackMode {
        get { state.withLock { $0.settings.playbackMode } }
        set { configure { $0.playbackMode = newValue } }
    }

    /// The maximum number of bytes of decoded frames to cache, as in ``AnimationPlayer/bufferByteLimit``.
    public var bufferByteLimit: Int {
        get { state.withLock { $0.settings.bufferByteLimit } }
        set { configure { $0.bufferByteLimit = newValue } }
    }

    /// Whether an animation plays while it is loading. The default is `true`; otherwise its first frame is shown until
    /// then.
    public var playsWhileLoading: Bool {
        get { state.withLock { $0.settings.playsWhileLoading } }
        set {
            change {
                $0.settings.playsWhileLoading = newValue
                $0.playOrPause()
            }
        }
    }

    /// Whether stopping removes the decoded frames, for all players of the animation. The default is `false`.
    public var clearsBufferWhenStopped: Bool {
        get { state.withLock { $0.settings.clearsBufferWhenStopped } }
        set { configure { $0.clearsBufferWhenStopped = newValue } }
    }

    /// Whether an animation that was stopped starts over instead of resuming. The default is `false`.
    public var resetsFrameIndexWhenStopped: Bool {
        get { state.withLock { $0.settings.resetsFrameIndexWhenStopped } }
        set { configure { $0.resetsFrameIndexWhenStopped = newValue } }
    }

    /// The transformer that is applied to every frame of an animation when it is decoded; never to a still. Setting one
    /// with a different identifier starts the animation over.
    public var transformer: (any ImageTransformer)? {
        get { state.withLock { $0.settings.transformer } }
        set { change { $0.setTransformer(newValue) } }
    }

    /// The player of the animation; `nil` for a still. For inspection only: the surface does not notice if it is
    /// started directly.
    public var player: AnimationPlayer? { state.withLock { $0.player } }

    /// The frame on show.
    public var shownFrame: ShownFrame? { state.withLock { $0.shown } }

    /// The player's current frame; `nil` for a still, and before playback starts.
    public var currentFrame: Frame? { player?.currentFrame }

    /// The index of the frame whose turn it is; 0 for a still.
    public var currentFrameIndex: Int { player?.currentFrameIndex ?? 0 }

    /// The number of completed loops.
    public var currentLoopCount: Int { player?.currentLoopCount ?? 0 }

    /// Whether an animation is playing.
    public var isPlaying: Bool { player?.isPlaying ?? false }

    /// Starts or resumes the animation, if the surface is visible.
    public func start() { change { $0.start() } }

    /// Stops the animation. The last frame stays visible.
    public func stop() { change { $0.stop() } }

    /// Returns a sequence of the frames to draw, starting with the current one. Reading it drives the playback.
    ///
    /// A slow reader gets only the newest frame.
    public func frames<C: Clock>(
        on clock: C = ContinuousClock(), every interval: Duration = .seconds(1) / 60
    ) -> PlaybackEvents<ShownFrame> where C.Duration == Duration {
        PlaybackEvents(of: self, on: clock, every: interval)
    }

    /// Advances the playback by `time` and returns the new frame to draw, if it changed.
    ///
    /// For apps with their own frame clock. A reader of ``frames(on:every:)`` already advances the playback.
    @discardableResult
    public func tick(_ time: Duration) -> ShownFrame? {
        change { state in
            state.tick(time)
            return state.unreportedFrame
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
        let (result, frame) = state.withLock { state in
            let result = body(&state)
            return (result, state.unreportedFrame.take())
        }
        if let frame { outlet.send(frame) } else { outlet.wake() }
        return result
    }
}

extension AnimationSurface: PlaybackSource {
    var isAdvancing: Bool { state.withLock { $0.isAdvancing } }

    func advance(by time: Duration) { tick(time) }

    func readerDidJoin() { if let shown = shownFrame { outlet.send(shown) } }

    func readerDidLeave() {}
}
