public import DarkroomPlatform
import Synchronization

/// A request to read a header. It is a struct, so that a new field breaks no plug-in.
public struct InfoRequest: Sendable {
    /// The encoded bytes, or the first ones.
    public let data: Data

    /// The limits of reading the header.
    public let limits: DecodeLimits

    /// Whether the part of a truncated image is of use, so that the header may lack what follows the pixels.
    public package(set) var acceptsIncomplete = false

    /// The options of the decode that follows, if nothing else determines its size, and the number of bytes that it may need. A
    /// coder in another process then decodes in the same call.
    package var nextDecode: (context: ImageContext, byteCount: Int)?

    /// The reasons to stop early.
    package let monitor: WorkMonitor
    var outline = OutlineStorage()

    /// Creates a request for the header of `data`. Without a `clock`, a new one starts now.
    public init(
        data: Data, limits: DecodeLimits = .default, cancellation: CancellationFlag? = nil, clock: WorkClock? = nil
    ) {
        let clock = clock ?? .running(limit: limits.workTime)
        let monitor = WorkMonitor(cancellation: cancellation, clock: clock, stage: .decode)
        self.init(data: data, limits: limits, monitor: monitor)
    }

    init(data: Data, limits: DecodeLimits, monitor: WorkMonitor) {
        self.data = data
        self.limits = limits
        self.monitor = monitor
    }

    /// Throws if the load was cancelled or has exceeded its time. Call it once a segment, chunk or block.
    public func checkCancellation() throws(ImageError) { try monitor.check() }

    /// Whether to stop, for callbacks of C code. `checkCancellation()` then throws the reason.
    public var isCancelled: Bool { monitor.isOver }

    /// Caches `outline`, the result of parsing these bytes, for the decode that follows; see
    /// `DecodeRequest.outline(_:)`.
    public func cacheOutline(_ outline: some Sendable) { self.outline.value.withLock { $0 = outline } }
}

/// The cached outline of a file, between the two requests to its coder.
final class OutlineStorage: Sendable {
    let value = Mutex<(any Sendable)?>(nil)
}

extension ImageCoder {
    /// Returns the header of `data`, read within the default limits.
    public func info(of data: Data) throws -> ImageInfo { try info(of: InfoRequest(data: data)) }
}
