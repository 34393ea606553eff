#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
import Synchronization

/// What a coder is asked for a header. A struct, so that a new field breaks no plug-in.
public struct InfoRequest: Sendable {
    /// The encoded bytes, or the first of them.
    public let data: Data

    /// What reading the header may cost.
    public let limits: DecodeLimits

    let monitor: WorkMonitor
    let outline = KeptOutline()

    /// A request for the header of `data`. Without a `clock`, its own one starts now.
    public init(
        data: Data, limits: DecodeLimits = .default, cancellation: CancellationFlag? = nil, clock: WorkClock? = nil
    ) {
        let clock = clock ?? .running(limit: limits.workSeconds)
        self.init(data: data, limits: limits, WorkMonitor(cancellation: cancellation, clock: clock, stage: .decode))
    }

    init(data: Data, limits: DecodeLimits, _ monitor: WorkMonitor) {
        self.data = data
        self.limits = limits
        self.monitor = monitor
    }

    /// Throws when the last caller has left, or the time is used up. Ask once a segment, chunk or block.
    public func checkCancellation() throws(ImageError) { try monitor.check() }

    /// Whether to stop, for either reason: for C code that asks by callback. `checkCancellation()` then says why.
    public var isCancelled: Bool { monitor.isOver }

    /// Leaves `outline`, what was parsed of these bytes, to the decode that follows: see `DecodeRequest.outline(_:)`.
    public func keep(_ outline: some Sendable) { self.outline.value.withLock { $0 = outline } }
}

/// What a coder has parsed of a header, between its two requests.
final class KeptOutline: Sendable {
    let value = Mutex<(any Sendable)?>(nil)
}

extension ImageCoder {
    /// The header of `data`, within the default limits.
    public func info(of data: Data) throws -> ImageInfo { try info(of: InfoRequest(data: data)) }
}
