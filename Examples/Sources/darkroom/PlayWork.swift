import Darkroom
import Synchronization

/// Shows a picture in the terminal, frame by frame.
struct PlayWork: Sendable {
    let renderer: any TerminalRenderer
    /// How often it plays, 0 for ever; `nil` for as often as the picture says.
    let loopCount: Int?
    /// How many times as fast.
    let rate: Double
    /// The most columns.
    let width: Int?
    private let executor = WorkExecutor(name: "play", width: 1)

    init(renderer: any TerminalRenderer, loopCount: Int?, rate: Double, width: Int?) {
        self.renderer = renderer
        self.loopCount = loopCount
        self.rate = rate
        self.width = width
    }

    /// The most pixels that can be shown.
    var bounds: PixelSize { bounds(of: terminal) }

    /// Shows `image`, and ends when it has played, or has been shown once if it is a still.
    func play(_ image: Image) async throws {
        defer { Screen.leave() }
        guard let animation = image.animation else {
            return try await show(try await executor.run { try rendered(image.bitmap, 0) })
        }
        let loopCount = loopCount ?? animation.loopCount
        var schedule = FrameSchedule(now: .now)
        var number = 0
        for loop in sequence(first: 1, next: { $0 + 1 }) {
            try await playOnce(animation, &schedule, &number)
            if loop == loopCount { break }
        }
        try await schedule.wait()
    }

    /// Counts `number` up for each picture shown. A frame that cannot be decoded is not: the one before it stays.
    private func playOnce(_ animation: Animation, _ schedule: inout FrameSchedule, _ number: inout Int) async throws {
        let feed = FrameFeed(animation)
        let start = number
        var failure: (any Error)?
        for duration in animation.frameDurations {
            do {
                let shown = try await executor.run { [number] in try rendered(try feed.next(), number) }
                try await schedule.wait()
                try await show(shown)
                number += 1
            } catch {
                failure = error
            }
            schedule.add(duration / rate, now: .now)
        }
        if number == start, let failure { throw failure }
    }

    private func show(_ shown: Shown) async throws {
        try await executor.run { Screen.draw(shown.picture, on: shown.terminal) }
    }

    @Sendable private func rendered(_ bitmap: Bitmap, _ number: Int) throws -> Shown {
        let terminal = terminal
        let bounds = bounds(of: terminal)
        // It fits already, unless the terminal has shrunk.
        let size = Thumbnail.fit(Double(bounds.width), Double(bounds.height)).size(for: bitmap.size)
        let fitted = try bitmap.resized(to: size)
        return Shown(picture: renderer.picture(of: fitted, number: number, on: terminal), terminal: terminal)
    }

    private var terminal: TerminalSize {
        var terminal = FileDescriptor.standardOutput.terminalSize ?? .standard
        if let width { terminal.columns = min(terminal.columns, width) }
        return terminal
    }

    /// One row is left for the cursor.
    private func bounds(of terminal: TerminalSize) -> PixelSize {
        renderer.bounds(max(1, terminal.rows - 1), of: terminal)
    }
}

/// A picture, and the terminal it was made for.
private struct Shown: Sendable {
    let picture: TerminalPicture
    let terminal: TerminalSize
}

/// When the next frame is to be shown.
struct FrameSchedule {
    private static let patience = Duration.milliseconds(100)
    private(set) var deadline: ContinuousClock.Instant

    /// The first frame is due `now`.
    init(now: ContinuousClock.Instant) { deadline = now }

    /// The frame that was due is shown for so many seconds. Who is far behind does not hurry to catch up.
    mutating func add(_ seconds: Double, now: ContinuousClock.Instant) {
        if now - deadline > Self.patience { deadline = now }
        deadline += .seconds(seconds)
    }

    /// Waits until the next frame is due.
    func wait() async throws { try await Task.sleep(until: deadline, clock: .continuous) }
}

/// Decodes the frames of an animation once, each when it is asked for.
private final class FrameFeed: Sendable {
    private let animation: Animation
    private let decoder = Mutex<(any FrameDecoder)?>(nil)

    init(_ animation: Animation) { self.animation = animation }

    /// The next frame.
    func next() throws -> Bitmap {
        try decoder.withLock { decoder in
            if decoder == nil { decoder = try animation.makeFrameDecoder() }
            guard let frame = try decoder?.nextFrame() else {
                throw ImageError(.incomplete, .decode, "a frame is not there")
            }
            return frame.bitmap
        }
    }
}
