import DarkroomCore

/// The playback state of an animation: a value without clock, pixels or threads, advanced by `tick`.
///
/// A frame is shown one tick after its turn has come, and none is skipped because a tick was long. Time stands still
/// while the frame whose turn it is has yet to be decoded. A frame that cannot be decoded takes its time, while the
/// previous one stays visible.
struct Playback: Sendable {
    /// The availability of a frame that is to be shown.
    enum Availability: Sendable {
        case ready
        case missing
        /// Decoding failed for good.
        case broken
    }

    /// An outcome of a tick.
    enum Event: Hashable, Sendable {
        case shown(Int)
        /// Carries the number of completed loops.
        case loopEnded(Int)
    }

    /// The duration of each frame in seconds, at rate 1. Frames may be added during playback.
    var seconds: [Double] {
        didSet {
            position.count = max(1, seconds.count)
            position.index = min(index, position.count - 1)
        }
    }

    /// The number of loops after which playback stops; 0 for never.
    var totalLoopCount: Int

    /// The playback speed. At 0 or less, playback stops.
    var rate = 1.0

    /// The order of frames. A bouncing mode, when set, first runs in its own initial direction.
    var mode = PlaybackMode.normal { didSet { if mode != oldValue { setDirection() } } }

    /// Whether more frames may come. Until none do, playback runs forward, waits at the last frame and completes no
    /// loop.
    var isGrowing = false { didSet { if isGrowing != oldValue { setDirection() } } }

    /// Whether ticks advance the playback.
    private(set) var isPlaying = false

    /// The number of completed loops.
    private(set) var loopCount = 0

    private var position: PlaybackPosition
    /// The time for which the current frame has been shown, in seconds.
    private var time = 0.0
    /// Whether the frame whose turn it is has yet to be shown.
    private var isDue = true
    private var isPaused = false

    /// Creates a paused playback at the first of frames with these durations.
    init(durations: [Duration], totalLoopCount: Int) {
        seconds = durations.map(\.inSeconds)
        self.totalLoopCount = totalLoopCount
        position = PlaybackPosition(count: max(1, durations.count))
    }

    /// The index of the frame whose turn it is.
    var index: Int { position.index }

    /// The next frame to show, and the order of those after it.
    var nextPosition: PlaybackPosition { isDue || mustWait ? position : position.next }

    /// Resumes playback. The reverse modes start at the last frame, unless this continues after a pause.
    mutating func start() {
        guard !isPlaying else { return }
        if index == 0, !isPaused, position.mode.isReverse {
            position.index = position.count - 1
            isDue = true
        }
        isPlaying = true
    }

    /// Pauses playback.
    mutating func pause() {
        isPaused = isPaused || isPlaying
        isPlaying = false
    }

    /// Stops playback and resets it to the start.
    mutating func stop() {
        isPlaying = false
        isPaused = false
        isDue = true
        loopCount = 0
        time = 0
        position.index = 0
        setDirection()
    }

    /// Moves to frame `index`, which the caller shows, as if `loop` loops were complete. Returns false if there is no
    /// such frame.
    mutating func seek(to index: Int, loop: Int) -> Bool {
        guard seconds.indices.contains(index), loop >= 0 else { return false }
        position.index = index
        loopCount = loop
        isDue = false
        isPaused = false
        return true
    }

    /// Advances the playback by `seconds`. `availability` is called at most once, for the frame whose turn it is.
    mutating func tick(_ seconds: Double, _ availability: (Int) -> Availability) -> [Event] {
        guard isPlaying else { return [] }
        guard self.seconds.count > 1, rate > 0 else {
            stop()
            return []
        }
        var events: [Event] = []
        if isDue {
            let found = availability(index)
            guard found != .missing else { return [] }
            if found == .ready { events.append(.shown(index)) }
            isDue = false
        }
        if let ended = advance(by: seconds) { events.append(ended) }
        return events
    }

    private mutating func advance(by seconds: Double) -> Event? {
        time += seconds > 0 ? seconds : 0
        let duration = duration
        guard time >= duration else { return nil }
        guard !mustWait else {
            time = duration
            return nil
        }
        let left = position
        position = position.next
        isDue = true
        time = min(time - duration, self.duration)
        return endsLoop(leaving: left) ? endLoop() : nil
    }

    private mutating func endLoop() -> Event {
        loopCount += 1
        let event = Event.loopEnded(loopCount)
        if totalLoopCount != 0, loopCount >= totalLoopCount { stop() }
        return event
    }

    /// Returns whether a loop ends: in the reverse modes when the time of the first frame is over, otherwise when its
    /// turn has come.
    private func endsLoop(leaving left: PlaybackPosition) -> Bool {
        !isGrowing && (position.mode.isReverse ? left.index == 0 : index == 0)
    }

    /// The duration of the current frame at the current rate, in seconds.
    private var duration: Double { seconds[index] > 0 ? seconds[index] / rate : 0 }

    private var mustWait: Bool { isGrowing && index == position.count - 1 }

    private mutating func setDirection() {
        position.mode = isGrowing ? .normal : mode
        position.isForward = !position.mode.isReverse
    }
}
