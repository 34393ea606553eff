import DarkroomCore
import Synchronization

/// The number of entries in a shard, and the total size of their files.
struct ShardTotals: Equatable, Sendable {
    static let none = ShardTotals(byteCount: 0, count: 0)

    var byteCount: Int
    var count: Int

    static func + (left: ShardTotals, right: ShardTotals) -> ShardTotals {
        ShardTotals(byteCount: left.byteCount + right.byteCount, count: left.count + right.count)
    }

    static func - (left: ShardTotals, right: ShardTotals) -> ShardTotals { left + -right }

    static prefix func - (totals: ShardTotals) -> ShardTotals {
        ShardTotals(byteCount: -totals.byteCount, count: -totals.count)
    }
}

/// The totals of all shards, in a small file shared by all processes and protected by a lock.
///
/// Entries are added and removed under this lock and counted in the file, so that no scan is needed. An addition is
/// counted before the file appears, and a removal after the file is gone: a process killed in between leaves totals
/// that are too high, never too low, until the shard is listed. The file therefore also contains the time of the last
/// complete scan. It contains the sum of all totals as well, which every store needs, and the generations and the sources of
/// each shard.
final class ShardUsage: Sendable {
    fileprivate struct OpenFile {
        let file: FileDescriptor
        let identity: FileStatus.Identity
        /// Identifies the file and the start of the system; `nil` if that is unknown.
        let era: UInt64?
    }

    /// Whether the file and its folder may be written.
    let access: FolderAccess

    private let path: FilePath
    private let systemStart: String?
    private let file = Mutex<OpenFile?>(nil)

    /// Creates the totals stored in the file at `path`. The parent folder must be created separately.
    init(_ path: FilePath, systemStart: String? = SystemStart.identifier) {
        self.path = path
        self.systemStart = systemStart
        access = FolderAccess(usageFile: path)
    }

    /// Runs `body` with exclusive access, both in this process and among processes.
    ///
    /// The file is created only for a caller that is about to add an entry; otherwise a removed folder would reappear.
    /// Without the file, there are no entries to count. In a folder that may only be read, the table cannot be changed,
    /// and no process changes it meanwhile.
    func withLock<Result: Sendable>(
        toAdd: Bool = false, _ body: (UsageTable) throws -> Result
    ) throws -> Result {
        try file.withLock { file in
            if let refusal = access.refusal {
                if toAdd { throw refusal }
                return try body(UsageTable(file: try lockToRead(), refusal: refusal))
            }
            let locked = try lock(for: toAdd ? .updating : .changing, reusing: &file)
            defer { locked?.unlock() }
            return try body(UsageTable(file: locked, era: file?.era))
        }
    }

    /// Opens the file, and locks it if possible. The lock ends with the descriptor.
    private func lockToRead() throws -> FileDescriptor? {
        var open: OpenFile?
        return try lock(for: .inspecting, reusing: &open)
    }

    /// Locks the file currently at `path`: another process may have removed the folder and created it again.
    private func lock(
        for mode: FileDescriptor.Mode, reusing open: inout OpenFile?
    ) throws -> FileDescriptor? {
        while let current = try open ?? OpenFile(path, for: mode, systemStart: systemStart) {
            // Some file systems that are mounted for reading have no locks, and need none.
            if mode == .inspecting { try? current.file.lockShared() } else { try current.file.lock() }
            open = current
            if try current.identity == path.status()?.identity { return current.file }
            open = nil
        }
        return nil
    }
}

extension ShardUsage.OpenFile {
    /// Opens the file. Returns `nil` if it, or its folder, does not exist.
    fileprivate init?(
        _ path: FilePath, for mode: FileDescriptor.Mode, systemStart: String?
    ) throws(SystemError) {
        do {
            file = try FileDescriptor(path, for: mode)
        } catch let error where error.isMissing {
            return nil
        }
        let identity = try file.status().identity
        self.identity = identity
        era = systemStart.map { MD5Digest(of: "\(identity.device) \(identity.inode) \($0)").last64Bits }
    }
}

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

    fileprivate let file: FileDescriptor?

    /// The reason why the table cannot be changed; `nil` if it can.
    fileprivate(set) var refusal: ReadOnlyFolder?

    /// The era whose filters are valid; `nil` if none are.
    fileprivate(set) var era: UInt64?

    /// Throws if the folder may only be read.
    func requireWriting() throws(ReadOnlyFolder) { if let refusal { throw refusal } }

    /// Returns the sum of all totals. A wrong sum is too high until it is recomputed.
    func total() throws -> ShardTotals {
        let stored = try storedSum()
        return stored.isValid ? stored.totals.totals : try recomputedTotal()
    }

    /// Computes the sum of all totals again, and stores it if permitted.
    func recomputedTotal() throws -> ShardTotals {
        let sum = try allTotals().reduce(.none) { $0 + $1.totals }
        if refusal == nil { try setSum(sum) }
        return sum
    }

    /// Returns the shards that have entries.
    func nonEmptyShards() throws -> [Shard] {
        let stored = try allTotals()
        return Shard.all.filter { stored[$0.index].totals != .none }
    }

    /// Adds to the totals of a shard. Negative totals are subtracted.
    func add(_ totals: ShardTotals, to shard: Shard) throws {
        let old = try self.totals(of: shard)
        let sum = old + totals
        try change(old, to: ShardTotals(byteCount: max(0, sum.byteCount), count: max(0, sum.count)), of: shard)
    }

    /// Replaces the totals of a shard with those of a listing.
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
    private func read<Value: BitwiseCopyable>(into value: inout Value, at offset: Int) throws {
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

    /// Stores the time of the last complete scan, and recomputes the sum.
    func setLastScan(_ time: FileTime) throws {
        unsafe try withUnsafeBytes(of: Int64(time.nanoseconds)) { unsafe try write($0, at: Self.byteCount) }
        _ = try recomputedTotal()
    }

    /// The size of the totals in the file, which are followed by the time of the last scan.
    private static let byteCount = Shard.count * MemoryLayout<StoredTotals>.stride

    private static let sumOffset = byteCount + MemoryLayout<Int64>.stride

    /// The offset of the generations, which follow the sum.
    private static let generationsOffset = sumOffset + MemoryLayout<StoredSum>.stride

    /// Reads the totals of all shards. Those beyond the end of the file are zero.
    private func allTotals() throws -> [StoredTotals] {
        var stored = Array(repeating: StoredTotals(), count: Shard.count)
        _ = unsafe try stored.withUnsafeMutableBytes { unsafe try file?.read(into: $0, at: 0) }
        return stored
    }
}

// Generations.
extension UsageTable {
    /// Returns the generations of `shard`.
    func generations(of shard: Shard) throws -> ShardGenerations {
        var stored = StoredGenerations()
        try read(into: &stored, at: Self.generationsOffset(of: shard))
        return stored.generations
    }

    /// Stores the generations of `shard`.
    func setGenerations(_ generations: ShardGenerations, of shard: Shard) throws {
        let offset = Self.generationsOffset(of: shard)
        unsafe try withUnsafeBytes(of: StoredGenerations(generations)) { unsafe try write($0, at: offset) }
    }

    /// Returns the shards whose entries are being removed.
    func shardsInRemoval() throws -> [Shard] {
        let generations = try allGenerations()
        return Shard.all.filter { generations[$0.index].isInRemoval }
    }

    /// Begins the removal of all entries. Shards without a folder have none.
    func beginRemoval(ofAll shards: Set<Shard>) throws {
        var generations = try allGenerations()
        for shard in Shard.all {
            generations[shard.index].slot.endAll()
            // Another process may have begun a removal that is not over.
            if shards.contains(shard) { generations[shard.index].isInRemoval = true }
        }
        let stored = generations.map { StoredGenerations($0) }
        unsafe try stored.withUnsafeBytes { unsafe try write($0, at: Self.generationsOffset) }
    }

    private func allGenerations() throws -> [ShardGenerations] {
        var stored = Array(repeating: StoredGenerations(), count: Shard.count)
        let offset = Self.generationsOffset
        _ = unsafe try stored.withUnsafeMutableBytes { unsafe try file?.read(into: $0, at: offset) }
        return stored.map(\.generations)
    }

    /// The offset of what follows the generations.
    static let generationsEnd = generationsOffset(of: Shard(index: Shard.count))

    private static func generationsOffset(of shard: Shard) -> Int {
        generationsOffset + shard.index * MemoryLayout<StoredGenerations>.stride
    }
}

extension Sequence<UInt64> {
    /// The checksum of words in the file, which detects incomplete writes.
    var usageCheck: UInt64 { reduce(0) { $0 &* 31 &+ $1 } ^ 0x4461_726B_726F_6F6D }
}
