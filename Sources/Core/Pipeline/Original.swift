#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The picture as its origin has it, which variants are made of.
///
/// A class, like `CachedEntry`: both are large, and passed on often.
final class Original: Sendable {
    enum Body: Sendable {
        case data(Data)
        case image(Image)
    }

    let body: Body
    let origin: LoadResult.Origin
    let version: OriginalVersion?
    /// The bytes as the disk cache stores them; `nil` for a ready image.
    let entry: CachedEntry?
    /// The bytes as they arrived, if they came in pieces just now.
    let received: ReceivedBytes?
    /// Whether it, and anything made of it, must not be stored.
    let forbidsStore: Bool
    /// The verdict on what the caches had of it.
    let decision: CacheDecision
    /// How it was fetched.
    let report: LoadReport
    /// The memory of its bytes, when a loader has just brought them.
    let memory: TransferMemory?

    init(
        body: Body, origin: LoadResult.Origin, version: OriginalVersion?, entry: CachedEntry? = nil,
        received: ReceivedBytes? = nil, forbidsStore: Bool = false, decision: CacheDecision, report: LoadReport? = nil,
        memory: TransferMemory? = nil
    ) {
        self.body = body
        self.origin = origin
        self.version = version
        self.entry = entry
        self.received = received
        self.forbidsStore = forbidsStore
        self.decision = decision
        self.report = report ?? LoadReport(decision: .missing)
        self.memory = memory
    }

    /// The decoded `image` from memory.
    convenience init(_ image: Image, _ decision: CacheDecision) {
        self.init(body: .image(image), origin: .memory, version: image.metadata.original, decision: decision)
    }

    /// The entry of a disk cache.
    convenience init(_ entry: CachedEntry, _ decision: CacheDecision, forbidsStore: Bool = false) {
        self.init(
            body: .data(entry.data), origin: .disk, version: entry.metadata.original, entry: entry,
            forbidsStore: forbidsStore, decision: decision)
    }

    var isStale: Bool { decision.isStale }

    /// The same, with the report of its run.
    func reported(_ report: LoadReport) -> Original {
        var report = report
        report.decision = decision
        return Original(
            body: body, origin: origin, version: version, entry: entry, received: received,
            forbidsStore: forbidsStore, decision: decision, report: report, memory: memory)
    }

    /// The same, whose bytes are counted in `memory` for as long as it is kept.
    func holding(_ memory: TransferMemory) -> Original {
        Original(
            body: body, origin: origin, version: version, entry: entry, received: received,
            forbidsStore: forbidsStore, decision: decision, report: report, memory: memory)
    }
}

/// An entry of a disk cache, or one on its way there.
final class CachedEntry: Sendable {
    let entry: DataEntry

    init(_ entry: DataEntry) { self.entry = entry }

    var data: Data { entry.data }
    var metadata: DataEntry.Metadata { entry.metadata }
}
