/// How far an animation is played: a value without clock, pixels or threads, moved on by `tick`.
///
/// A frame is shown one tick after its turn came, and none is passed over because a tick was long. While the frame whose
/// turn it is has not been decoded, time stands still. A frame that cannot be decoded takes its time, and the one before
/// it stays to be seen.
struct Playback: Sendable {
    /// What is known of a frame that is to be shown.
    enum Availability: Sendable {
        case ready
        case missing
        /// It will never be there.
        case broken
    }

    /// What a tick brought about.
    enum Event: Hashable, Sendable {
        case shown(Int)
        /// How many loops are over.
        case loopEnded(Int)
    }

    /// Seconds of each frame at rate 1. More may come while it plays.
    var durations: [Double] {
        didSet {
            order.count = max(1, durations.count)
            order.index = min(index, order.count - 1)
        }
    }

    /// After how many loops it stops; 0 for never.
    var totalLoopCount: Int

    /// How many times as fast it plays; at 0 and below it stops.
    var rate = 1.0

    /// The order of frames. Where there are turns, a new mode begins towards its own first one.
    var mode = PlaybackMode.normal { didSet { if mode != oldValue { setDirection() } } }

    /// Whether more frames may come. Until then it plays forward, waits at the last frame and ends no loop.
    var isGrowing = false { didSet { if isGrowing != oldValue { setDirection() } } }

    /// Whether ticks move it.
    private(set) var isPlaying = false

    /// How many loops are over.
    private(set) var loopCount = 0

    private var order: PlayOrder
    /// Seconds for which the frame has been shown.
    private var time = 0.0
    /// Whether the frame whose turn it is has yet to be shown.
    private var isDue = true
    private var isPaused = false

    /// At the start of frames of these durations.
    init(durations: [Double], totalLoopCount: Int) {
        self.durations = durations
        self.totalLoopCount = totalLoopCount
        order = PlayOrder(count: max(1, durations.count))
    }

    /// The frame whose turn it is.
    var index: Int { order.index }

    /// The frame that will be shown next, and those after it.
    var outlook: PlayOrder { isDue || mustWait ? order : order.next }

    /// Lets ticks move it. The reverse modes begin at the last frame, unless it goes on after a pause.
    mutating func start() {
        guard !isPlaying else { return }
        if index == 0, !isPaused, order.mode.isReverse {
            order.index = order.count - 1
            isDue = true
        }
        isPlaying = true
    }

    /// Makes it stand still.
    mutating func pause() {
        isPaused = isPaused || isPlaying
        isPlaying = false
    }

    /// Goes back to the beginning, and stands still.
    mutating func stop() {
        isPlaying = false
        isPaused = false
        isDue = true
        loopCount = 0
        time = 0
        order.index = 0
        setDirection()
    }

    /// Goes to frame `index`, which the caller shows, as if `loop` loops were over. False when there is no such frame.
    mutating func seek(to index: Int, loop: Int) -> Bool {
        guard durations.indices.contains(index), loop >= 0 else { return false }
        order.index = index
        loopCount = loop
        isDue = false
        isPaused = false
        return true
    }

    /// Lets `seconds` pass. `availability` is asked at most once, for the frame whose turn it is.
    mutating func tick(_ seconds: Double, _ availability: (Int) -> Availability) -> [Event] {
        guard isPlaying else { return [] }
        guard durations.count > 1, rate > 0 else {
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
        let left = order
        order = order.next
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

    /// In the reverse modes a loop ends when the first frame's time has passed, else when its turn has come.
    private func endsLoop(leaving left: PlayOrder) -> Bool {
        !isGrowing && (order.mode.isReverse ? left.index == 0 : index == 0)
    }

    /// Seconds that the frame here is shown.
    private var duration: Double { durations[index] > 0 ? durations[index] / rate : 0 }

    private var mustWait: Bool { isGrowing && index == order.count - 1 }

    private mutating func setDirection() {
        order.mode = isGrowing ? .normal : mode
        order.isForward = !order.mode.isReverse
    }
}
