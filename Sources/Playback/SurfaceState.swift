import DarkroomCore

/// The settings of an `AnimationSurface`.
struct SurfaceSettings {
    var playsAutomatically = true
    var loopCount: Int?
    var playbackRate = 1.0
    var playbackMode = PlaybackMode.normal
    var bufferByteLimit = 0
    var playsWhileLoading = true
    var clearsBufferWhenStopped = false
    var resetsFrameIndexWhenStopped = false
    var transformer: (any ImageTransformer)?
}

/// The state of an `AnimationSurface`.
struct SurfaceState {
    var settings = SurfaceSettings()
    private(set) var image: Image?
    private(set) var isVisible = true
    private(set) var player: AnimationPlayer?
    private(set) var shown: ShownFrame?
    /// The frame that was shown but not reported yet.
    var unreportedFrame: ShownFrame?
    private let executor: WorkExecutor?
    private let memoryBudget: MemoryBudget?
    /// Whether the first frame will be shown when the transformer has processed it.
    private var awaitsPoster = false

    init(executor: WorkExecutor?, memoryBudget: MemoryBudget?) {
        (self.executor, self.memoryBudget) = (executor, memoryBudget)
    }

    /// Whether time advances the surface at present.
    var isAdvancing: Bool { awaitsPoster || player?.isPlaying == true }

    mutating func set(_ newImage: Image?) {
        guard !isSame(newImage) else { return }
        let oldImage = image
        image = newImage
        if let animation = newImage?.animation, let player, newImage?.grows(from: oldImage) == true {
            player.grow(to: animation)
            playIfWanted()
        } else {
            begin()
        }
    }

    mutating func setVisible(_ newValue: Bool) {
        guard isVisible != newValue else { return }
        isVisible = newValue
        if isVisible { playIfWanted() } else { stop() }
    }

    mutating func setTransformer(_ transformer: (any ImageTransformer)?) {
        let isOther = settings.transformer?.identifier != transformer?.identifier
        settings.transformer = transformer
        if isOther, player != nil { begin() }
    }

    mutating func applySettings() {
        guard let player else { return }
        player.totalLoopCount = settings.loopCount ?? image?.animation?.loopCount ?? 0
        player.playbackRate = settings.playbackRate
        player.playbackMode = settings.playbackMode
        player.bufferByteLimit = settings.bufferByteLimit
    }

    /// Starts or pauses playback after a change of the settings that determine it.
    mutating func playOrPause() {
        if !mayPlay { player?.pause() }
        playIfWanted()
    }

    mutating func start() {
        guard mayPlay, let player else { return }
        awaitsPoster = false
        player.start()
    }

    mutating func stop() {
        guard let player else { return }
        if settings.resetsFrameIndexWhenStopped { player.stop() } else { player.pause() }
        if settings.clearsBufferWhenStopped { player.clearBuffer() }
        if shown == nil { showPoster() }
    }

    mutating func tick(_ time: Duration) {
        guard let player else { return }
        for case .frame(let frame) in player.tick(time) { show(frame) }
        guard awaitsPoster else { return }
        let (poster, availability) = player.frameAtPosition()
        awaitsPoster = availability == .missing
        if let poster { show(poster) }
    }

    /// Shows the image from the start.
    private mutating func begin() {
        stop()
        (shown, unreportedFrame, awaitsPoster) = (nil, nil, false)
        player = image.flatMap {
            AnimationPlayer($0, transformer: settings.transformer, executor: executor, memoryBudget: memoryBudget)
        }
        if image?.metadata.isPreview == true { player?.setGrowing() }
        applySettings()
        playIfWanted()
        if player?.isPlaying != true { showPoster() }
    }

    private mutating func playIfWanted() { if settings.playsAutomatically { start() } }

    private mutating func showPoster() {
        guard let image else { return }
        awaitsPoster = player != nil && settings.transformer != nil
        guard !awaitsPoster else { return }
        let frame = Frame(image.bitmap, duration: image.animation?.frameDurations.first ?? .zero)
        show(ShownFrame(index: 0, frame: frame, loop: 0))
    }

    private mutating func show(_ frame: ShownFrame) {
        shown = frame
        unreportedFrame = frame
    }

    private var mayPlay: Bool { isVisible && (settings.playsWhileLoading || image?.metadata.isPreview != true) }

    private func isSame(_ other: Image?) -> Bool {
        guard let image, let other else { return image == nil && other == nil }
        return image.bitmap.isIdentical(to: other.bitmap) && image.animation?.identity === other.animation?.identity
            && image.metadata.isPreview == other.metadata.isPreview
    }
}

extension Image {
    /// Returns whether it is a preview of the same loading animation as `other`, and not an earlier one.
    fileprivate func grows(from other: Image?) -> Bool {
        guard let other, metadata.isPreview, other.metadata.isPreview else { return false }
        return info.format == other.info.format && size == other.size
            && (animation?.frameCount ?? 1) >= (other.animation?.frameCount ?? 1)
    }
}
