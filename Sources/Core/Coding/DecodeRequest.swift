#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
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

    private let monitor: WorkMonitor
    private let parsed: KeptOutline
    private let collected = DecodeNotes()

    /// A request for `data`; a target of `nil` asks for the stored size. Without a `clock`, its own one starts now.
    public init(
        data: Data, info: ImageInfo, target: PixelSize? = nil, context: ImageContext = .init(),
        colorConverter: (any ColorConverter)? = nil, cancellation: CancellationFlag? = nil, clock: WorkClock? = nil
    ) {
        let header = InfoRequest(data: data, limits: context.limits, cancellation: cancellation, clock: clock)
        self.init(header, info, target: target, context: context, colorConverter: colorConverter)
    }

    /// A request for the picture of whose header, asked for by `header`, a coder has said `info`.
    init(
        _ header: InfoRequest, _ info: ImageInfo, target: PixelSize?, context: ImageContext,
        colorConverter: (any ColorConverter)?
    ) {
        data = header.data
        self.info = info
        self.target = target ?? info.storedSize
        self.context = context
        self.colorConverter = colorConverter
        monitor = header.monitor
        parsed = header.outline
    }

    /// Throws when nobody waits for the result any more, or it has taken too long. Ask once a row, frame or scan.
    public func checkCancellation() throws { try monitor.check() }

    /// Whether to stop, for either reason: for C code that asks by callback. `checkCancellation()` then says why.
    public var isCancelled: Bool { monitor.isOver }

    /// The outline that `info(of:)` has kept of these bytes, or else what `parse` makes of them.
    ///
    /// A request that was not made of a header's one has none, so that the bytes are parsed again.
    public func outline<Outline: Sendable>(_ parse: (InfoRequest) throws -> Outline) rethrows -> Outline {
        if let outline = parsed.value.withLock({ $0 as? Outline }) { return outline }
        return try parse(headerRequest(of: data))
    }

    /// A request for the header of `data`, with the limits, the cancellation and the clock of this one.
    public func headerRequest(of data: Data) -> InfoRequest {
        InfoRequest(data: data, limits: context.limits, monitor)
    }

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

    /// The same request for frames that are decoded long after the load, whose cancellation and clock are not theirs.
    var forFrames: DecodeRequest {
        DecodeRequest(data: data, info: info, target: target, context: context, colorConverter: colorConverter)
    }

    /// Starts the clock again: each frame has its own time.
    func restartClock() { monitor.clock.restart() }
}

private final class DecodeNotes: Sendable {
    private let notes = Mutex<[String]>([])

    var all: [String] { notes.withLock { $0 } }

    func add(_ note: String) {
        notes.withLock { if !$0.contains(note) { $0.append(note) } }
    }
}
