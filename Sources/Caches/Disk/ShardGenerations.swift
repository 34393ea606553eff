import DarkroomCore
import DarkroomFiles

/// The generations of the sources in a shard.
struct ShardGenerations: Sendable {
    /// The generations.
    var slot = GenerationSlot()

    /// Whether entries of the shard are being removed. If the process is killed meanwhile, the next user of the shard
    /// removes all of them.
    var isInRemoval = false

    /// Whether nothing was stored about the shard since the file was made.
    private(set) var isNew = false

    /// Whether what was stored is damaged, so that tickets of ended generations seem valid.
    private(set) var isDamaged = false
}

/// The generations of a shard as they are stored in the file.
struct StoredGenerations: BitwiseCopyable {
    private struct Record: BitwiseCopyable {
        var source: UInt64 = 0
        var number: UInt64 = 0
        var newestLoad: Int64 = 0
        var revision: UInt64 = 0
        var removal: UInt64 = 0

        init() {}

        init(_ record: GenerationSlot.Record) {
            (source, number, revision) = (record.source, record.number, record.revision)
            removal = record.removal
            newestLoad = record.newestLoad.nanoseconds
        }

        var record: GenerationSlot.Record {
            GenerationSlot.Record(
                source: source, number: number, newestLoad: LoadMoment(nanoseconds: newestLoad), revision: revision,
                removal: removal)
        }
    }

    private var isInRemoval: UInt64 = 0
    private var lastNumber: UInt64 = 0
    private var otherNumber: UInt64 = 0
    private var otherNewestLoad: Int64 = 0
    private var otherRemoval: UInt64 = 0
    private var recordCount: UInt64 = 0
    private var records = (Record(), Record(), Record(), Record())
    private var check: UInt64 = 0

    /// Creates what a new file contains.
    init() {}

    /// Creates the stored form of `generations`.
    init(_ generations: ShardGenerations) {
        let slot = generations.slot
        isInRemoval = generations.isInRemoval ? 1 : 0
        (lastNumber, otherNumber) = (slot.lastNumber, slot.otherNumber)
        (otherNewestLoad, otherRemoval) = (slot.otherNewestLoad.nanoseconds, slot.otherRemoval)
        recordCount = UInt64(slot.records.count)
        let stored = slot.records.map { Record($0) } + Array(repeating: Record(), count: GenerationSlot.recordLimit)
        records = (stored[0], stored[1], stored[2], stored[3])
        check = expectedCheck
    }

    /// The generations; the first ones if the checksum is wrong.
    var generations: ShardGenerations {
        guard check == expectedCheck, recordCount <= GenerationSlot.recordLimit else {
            return isUnused ? ShardGenerations(isNew: true) : ShardGenerations(isDamaged: true)
        }
        let stored = [records.0, records.1, records.2, records.3].prefix(Int(recordCount))
        let slot = GenerationSlot(
            records: stored.map(\.record), otherNumber: otherNumber,
            otherNewestLoad: LoadMoment(nanoseconds: otherNewestLoad), otherRemoval: otherRemoval,
            lastNumber: lastNumber)
        return ShardGenerations(slot: slot, isInRemoval: isInRemoval != 0)
    }

    /// Whether it was written completely, or not at all.
    var isIntact: Bool { check == expectedCheck || isUnused }

    private var isUnused: Bool {
        unsafe withUnsafeBytes(of: self) { unsafe $0.bindMemory(to: UInt64.self).allSatisfy { $0 == 0 } }
    }

    private var expectedCheck: UInt64 {
        var unchecked = self
        unchecked.check = 0
        return unsafe withUnsafeBytes(of: unchecked) { bytes in
            unsafe bytes.bindMemory(to: UInt64.self).usageCheck
        }
    }
}
