#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What variants are made of: the picture as its origin has it.
///
/// A class, like `KeptEntry`: both hold much, and go through many hands.
final class Original: Sendable {
    enum Body: Sendable {
        case data(Data)
        case image(Image)
    }

    let body: Body
    let origin: LoadResult.Origin
    let version: OriginalVersion?
    /// The bytes as the disk cache keeps them; `nil` for a ready image.
    let entry: KeptEntry?
    /// Where the bytes came in pieces, if they did just now.
    let received: ReceivedBytes?
    /// Whether it, or anything made of it, must not be kept.
    let forbidsStore: Bool
    /// What was decided about what the caches had of it.
    let decision: CacheDecision
    /// How it came here.
    let report: LoadReport
    /// The memory of its bytes, when a loader has just brought them.
    let memory: TransferMemory?

    init(
        body: Body, origin: LoadResult.Origin, version: OriginalVersion?, entry: KeptEntry? = nil,
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

    /// What a disk cache has.
    convenience init(_ entry: KeptEntry, _ decision: CacheDecision, forbidsStore: Bool = false) {
        self.init(
            body: .data(entry.data), origin: .disk, version: entry.metadata.original, entry: entry,
            forbidsStore: forbidsStore, decision: decision)
    }

    var isStale: Bool { decision.isStale }

    /// The same, which came here as `report` says.
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

/// An entry that a disk cache has, or is to have.
final class KeptEntry: Sendable {
    let entry: DataEntry

    init(_ entry: DataEntry) { self.entry = entry }

    var data: Data { entry.data }
    var metadata: DataEntry.Metadata { entry.metadata }
}
