#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif
import Synchronization

/// What a coder is asked. A struct, so that a new field breaks no plug-in.
public struct DecodeRequest: Sendable {
    /// The encoded bytes.
    public let data: Data

    /// What `info(of:)` said about them.
    public let info: ImageInfo

    /// What the caller can use, in stored orientation. Give at least this many pixels where that is cheap.
    public let target: PixelSize

    /// What the caller wants.
    public let context: ImageContext

    /// Converts rows to sRGB; `nil` when no colour engine is installed, and pixels are passed on as they are.
    public let colorConverter: (any ColorConverter)?

    private let cancellation: CancellationFlag?
    private let clock: DecodeClock
    private let collected = DecodeNotes()

    /// A request for `data`; a target of `nil` asks for the stored size. Its clock starts now.
    public init(
        data: Data, info: ImageInfo, target: PixelSize? = nil, context: ImageContext = .init(),
        colorConverter: (any ColorConverter)? = nil, cancellation: CancellationFlag? = nil
    ) {
        self.data = data
        self.info = info
        self.target = target ?? info.storedSize
        self.context = context
        self.colorConverter = colorConverter
        self.cancellation = cancellation
        clock = DecodeClock(seconds: context.limits.decodeSeconds)
    }

    /// Throws when nobody waits for the result any more, or it has taken too long. Ask once a row, frame or scan.
    public func checkCancellation() throws {
        try cancellation?.check()
        guard clock.hasRunOut else { return }
        let bound = context.limits.decodeSeconds
        throw ImageError(
            .overLimit, .decode,
            "decodeSeconds has passed \(bound), which is the limit; raise it with context.limits.decodeSeconds")
    }

    /// Whether to stop, for either reason: for C code that asks by callback. `checkCancellation()` then says why.
    public var isCancelled: Bool { (cancellation?.isSet ?? false) || clock.hasRunOut }

    /// Adds a sentence about something that was amiss and could be passed over, such as a broken profile.
    ///
    /// It begins with a small letter and has no full stop. The delivered image's metadata shows it.
    public func note(_ sentence: String) { collected.add(sentence) }

    /// What was noted so far.
    package var notes: [String] { collected.all }

    /// A conversion to sRGB of this picture's rows; `nil` when they pass as they are.
    ///
    /// A coder of pictures in inks asks for it. Rows of grey and RGB are Core's business, whatever the coder.
    public func makeRowConversion() -> (any RowConversion)? {
        do {
            return try colorConverter?.makeRowConversion(for: info)
        } catch {
            note("the colour profile is ignored: \((error as? ImageError)?.message ?? "\(error)")")
            return nil
        }
    }

    /// The same request for frames that are decoded long after the load, whose cancellation is not theirs.
    var forFrames: DecodeRequest {
        DecodeRequest(data: data, info: info, target: target, context: context, colorConverter: colorConverter)
    }

    /// Starts the clock again: each frame has its own time.
    func restartClock() { clock.run(forSeconds: context.limits.decodeSeconds) }

    /// Runs `body` under what is left of the time; waiting for bytes between two such calls does not count.
    func whileClockRuns<Result>(_ body: () throws -> Result) rethrows -> Result {
        clock.run(forSeconds: clock.secondsLeft)
        defer { clock.pause() }
        return try body()
    }
}

/// Tells when a decode has taken too long. It may be asked on another thread.
private final class DecodeClock: Sendable {
    private let origin = DecodeClock.nanoseconds
    /// When time runs out, in nanoseconds after `origin`.
    private let end: Atomic<Int>
    /// What is left while the clock stands still, or has never run.
    private let left: Atomic<Int>

    init(seconds: Double) {
        end = Atomic(Self.nanoseconds(seconds))
        left = Atomic(Self.nanoseconds(seconds))
    }

    var hasRunOut: Bool { elapsed > end.load(ordering: .relaxed) }

    /// What is left of a clock that was paused, or never ran.
    var secondsLeft: Double { Double(left.load(ordering: .relaxed)) / 1e9 }

    func run(forSeconds seconds: Double) {
        end.store(elapsed + Self.nanoseconds(seconds), ordering: .relaxed)
    }

    func pause() { left.store(end.load(ordering: .relaxed) - elapsed, ordering: .relaxed) }

    private var elapsed: Int { Self.nanoseconds - origin }

    /// Of the clock that `ContinuousClock` has, too, which takes several times as long to ask.
    private static var nanoseconds: Int {
        var time = timespec()
        _ = unsafe clock_gettime(clock, &time)
        return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    }

    #if os(Linux)
        private static let clock = CLOCK_BOOTTIME
    #else
        private static let clock = CLOCK_MONOTONIC
    #endif

    /// At most a hundred years, as nobody waits longer, and numbers do not hold any time.
    private static func nanoseconds(_ seconds: Double) -> Int {
        guard seconds < 100 * 366 * 86_400 else { return 100 * 366 * 86_400 * 1_000_000_000 }
        return Int(max(seconds, -1) * 1e9)
    }
}

private final class DecodeNotes: Sendable {
    private let notes = Mutex<[String]>([])

    var all: [String] { notes.withLock { $0 } }

    func add(_ note: String) {
        notes.withLock { if !$0.contains(note) { $0.append(note) } }
    }
}
