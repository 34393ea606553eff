#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The image as its origin provides it, from which variants are made.
///
/// It is a class, like `CachedEntry`, because both are large and often passed on.
final class Original: Sendable {
    enum Body: Sendable {
        case data(Data)
        case image(Image)
    }

    let body: Body
    let origin: LoadResult.Origin
    let version: OriginalVersion?
    /// The entry for the data cache; `nil` if the loader delivered a decoded image.
    let entry: CachedEntry?
    /// The bytes as they arrived, if they were just received in chunks.
    let received: ReceivedBytes?
    /// Whether storing it, and any result made from it, is forbidden.
    let forbidsStore: Bool
    /// The decision on the cached original.
    let decision: CacheDecision
    /// The report of the run that fetched it.
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

    /// Creates an original from the decoded `image` in memory.
    convenience init(_ image: Image, _ decision: CacheDecision) {
        self.init(body: .image(image), origin: .memory, version: image.metadata.original, decision: decision)
    }

    /// Creates an original from an entry of the data cache.
    convenience init(_ entry: CachedEntry, _ decision: CacheDecision, forbidsStore: Bool = false) {
        self.init(
            body: .data(entry.data), origin: .disk, version: entry.metadata.original, entry: entry,
            forbidsStore: forbidsStore, decision: decision)
    }

    var isStale: Bool { decision.isStale }

    /// Returns the same original with the report of its run.
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

/// An entry of a data cache, or one that is about to be stored there.
final class CachedEntry: Sendable {
    let entry: DataEntry

    init(_ entry: DataEntry) { self.entry = entry }

    var data: Data { entry.data }
    var metadata: DataEntry.Metadata { entry.metadata }
}
