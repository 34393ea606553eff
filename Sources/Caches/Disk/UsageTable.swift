import DarkroomFiles

/// The totals of all shards while they are locked. Without a file they are zero, and changes are discarded.
struct UsageTable {
    /// An element of the array in the file.
    private struct StoredTotals: BitwiseCopyable {
        var byteCount: Int64 = 0
        var count: Int64 = 0

        init() {}

        init(_ totals: ShardTotals) {
            byteCount = Int64(totals.byteCount)
            count = Int64(totals.count)
        }

        /// The totals. Impossible values, as in a damaged file, count as zero.
        var totals: ShardTotals {
            let range = Int64(0)...(1 << 48)
            guard range.contains(byteCount), range.contains(count) else { return .none }
            return ShardTotals(byteCount: Int(byteCount), count: Int(count))
        }
    }

    /// The sum of all totals, with a checksum that detects incomplete writes.
    private struct StoredSum: BitwiseCopyable {
        var totals = StoredTotals()
        var check: UInt64 = 0

        init() {}

        init(_ sum: ShardTotals) {
            totals = StoredTotals(sum)
            check = expectedCheck
        }

        var isValid: Bool { check == expectedCheck }

        private var expectedCheck: UInt64 {
            [UInt64(bitPattern: totals.byteCount), UInt64(bitPattern: totals.count)].usageCheck
        }
    }

    let file: FileDescriptor?

    /// The reason why the table cannot be changed; `nil` if it can.
    var refusal: ReadOnlyFolder?

    /// The era whose filters are valid; `nil` if none are.
    var era: UInt64?

    /// The count of tickets that are taken without a file, which a new file gets.
    var countWithoutFile = EndCount(value: 0)

    /// Throws if the folder may only be read.
    func requireWriting() throws(ReadOnlyFolder) { if let refusal { throw refusal } }

    /// Returns the sum of all totals. A wrong sum is too high until it is recomputed.
    func total() throws -> ShardTotals {
        let stored = try storedSum()
        return stored.isValid ? stored.totals.totals : try recomputedTotal()
    }

    /// Computes the sum of all totals again, and stores it if permitted and possible.
    func recomputedTotal() throws -> ShardTotals {
        let sum = try allTotals().reduce(.none) { $0 + $1.totals }
        if refusal == nil { try unlessDiskFull { try setSum(sum) } }
        return sum
    }

    /// Returns the shards that have entries.
    func nonEmptyShards() throws -> [Shard] {
        let stored = try allTotals()
        return Shard.all.filter { stored[$0.index].totals != .none }
    }

    /// Returns the shard with the most bytes; `nil` if there are none.
    func largestShard() throws -> Shard? {
        let stored = try allTotals()
        return Shard.all.max { stored[$0.index].totals.byteCount < stored[$1.index].totals.byteCount }
    }

    /// Adds to the totals of a shard. Negative totals are subtracted.
    func add(_ totals: ShardTotals, to shard: Shard) throws {
        let old = try self.totals(of: shard)
        let sum = old + totals
        let new = ShardTotals(byteCount: max(0, sum.byteCount), count: max(0, sum.count))
        try change(old, to: new, of: shard)
        try keepSourceFilter(of: shard, from: old, to: new)
    }

    /// Subtracts what was removed from the totals of a shard. If the disk is full, they may stay too high.
    func subtract(_ totals: ShardTotals, from shard: Shard) throws {
        try unlessDiskFull { try add(-totals, to: shard) }
    }

    /// Replaces the totals of a shard with those of a listing. If they differ, its sources are unknown from now on.
    func set(_ totals: ShardTotals, of shard: Shard) throws {
        try change(try self.totals(of: shard), to: totals, of: shard)
    }

    /// Returns the totals of a shard.
    func totals(of shard: Shard) throws -> ShardTotals {
        var stored = StoredTotals()
        try read(into: &stored, at: shard.index * MemoryLayout<StoredTotals>.stride)
        return stored.totals
    }

    private func change(_ old: ShardTotals, to new: ShardTotals, of shard: Shard) throws {
        guard new != old else { return }
        let grows = new.byteCount > old.byteCount
        if grows { try addToSum(new - old) }
        let offset = shard.index * MemoryLayout<StoredTotals>.stride
        unsafe try withUnsafeBytes(of: StoredTotals(new)) { unsafe try write($0, at: offset) }
        if !grows { try addToSum(new - old) }
    }

    private func addToSum(_ added: ShardTotals) throws {
        let stored = try storedSum()
        if stored.isValid { try setSum(stored.totals.totals + added) }
    }

    private func storedSum() throws -> StoredSum {
        var stored = StoredSum()
        try read(into: &stored, at: Self.sumOffset)
        return stored
    }

    private func setSum(_ sum: ShardTotals) throws {
        unsafe try withUnsafeBytes(of: StoredSum(sum)) { unsafe try write($0, at: Self.sumOffset) }
    }

    /// Reads `value`. What is beyond the end of the file stays as it is.
    func read<Value: BitwiseCopyable>(into value: inout Value, at offset: Int) throws {
        unsafe try withUnsafeMutableBytes(of: &value) { unsafe try read(into: $0, at: offset) }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
        _ = unsafe try file?.read(into: buffer, at: offset)
    }

    func write(_ buffer: UnsafeRawBufferPointer, at offset: Int) throws {
        try requireWriting()
        unsafe try file?.write(buffer, at: offset)
    }

    /// Returns the time of the last complete scan, or a time long ago if there was none.
    func lastScan() throws -> FileTime {
        var time = Int64(0)
        try read(into: &time, at: Self.byteCount)
        return FileTime(nanoseconds: Int(time))
    }

    /// Stores the time of the last complete scan, unless the disk is full, and recomputes the sum.
    func setLastScan(_ time: FileTime) throws {
        try unlessDiskFull {
            unsafe try withUnsafeBytes(of: Int64(time.nanoseconds)) { unsafe try write($0, at: Self.byteCount) }
        }
        _ = try recomputedTotal()
    }

    /// The size of the totals in the file, which are followed by the time of the last scan.
    private static let byteCount = Shard.count * MemoryLayout<StoredTotals>.stride

    private static let sumOffset = byteCount + MemoryLayout<Int64>.stride

    /// The size of what removals write.
    static var reservedByteCount: Int { generationsEnd }

    /// The offset of the generations, which follow the sum.
    static let generationsOffset = sumOffset + MemoryLayout<StoredSum>.stride

    /// Reads the totals of all shards. Those beyond the end of the file are zero.
    private func allTotals() throws -> [StoredTotals] {
        var stored = Array(repeating: StoredTotals(), count: Shard.count)
        _ = unsafe try stored.withUnsafeMutableBytes { unsafe try file?.read(into: $0, at: 0) }
        return stored
    }
}

/// Runs `body`, and returns whether the disk had space for what it writes.
@discardableResult
private func unlessDiskFull(_ body: () throws -> Void) throws -> Bool {
    do {
        try body()
        return true
    } catch let error as SystemError where error.isDiskFull {
        return false
    }
}

extension Sequence<UInt64> {
    /// The checksum of words in the file, which detects incomplete writes.
    var usageCheck: UInt64 { reduce(0) { $0 &* 31 &+ $1 } ^ 0x4461_726B_726F_6F6D }
}
