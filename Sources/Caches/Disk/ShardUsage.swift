import Synchronization

/// How many entries a shard has, and how long their files are together.
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

/// The totals of all shards, in a small file that all processes share and that one at a time may change.
///
/// Whoever adds or removes an entry does so under this lock and counts it there, so that nobody ever needs to scan. What
/// is added is counted before it is there, and what is removed after it is gone: a process that is killed in between
/// leaves a shard's totals too high, never too low, until somebody lists the shard. So the file also says when somebody
/// last went through all of them. The sum of all stands in it, too, for every store asks for that.
final class ShardUsage: Sendable {
    fileprivate struct OpenFile {
        let file: FileDescriptor
        let identity: FileStatus.Identity
    }

    private let path: FilePath
    private let file = Mutex<OpenFile?>(nil)

    /// The totals kept in the file at `path`, in a folder that others make.
    init(_ path: FilePath) { self.path = path }

    /// Runs `body` while nobody else, in this process or another, is in here.
    ///
    /// The file is made for those only who are about to add something: whoever takes the folder away would find it there
    /// again. Where there is none, there is nothing to count.
    func withLock<Result: Sendable>(
        toAdd: Bool = false, _ body: (UsageTable) throws -> Result
    ) throws -> Result {
        try file.withLock { file in
            let locked = try Self.lock(path, for: toAdd ? .updating : .changing, &file)
            defer { locked?.unlock() }
            return try body(UsageTable(file: locked))
        }
    }

    /// Locks the file that is at `path` now: the folder may have been removed, and made again by another process.
    private static func lock(
        _ path: FilePath, for use: FileDescriptor.Use, _ open: inout OpenFile?
    ) throws -> FileDescriptor? {
        while let current = try open ?? OpenFile(path, for: use) {
            try current.file.lock()
            open = current
            if try current.identity == path.status()?.identity { return current.file }
            open = nil
        }
        return nil
    }
}

extension ShardUsage.OpenFile {
    /// `nil` when there is no such file, or no folder for it.
    fileprivate init?(_ path: FilePath, for use: FileDescriptor.Use) throws(SystemError) {
        do {
            file = try FileDescriptor(path, for: use)
        } catch let error where error.isMissing {
            return nil
        }
        identity = try file.status().identity
    }
}

/// The totals of all shards, while they are locked. Without a file there are none, and changes are lost.
struct UsageTable {
    /// As they stand in the file, one behind the other.
    private struct StoredTotals: BitwiseCopyable {
        var byteCount: Int64 = 0
        var count: Int64 = 0

        init() {}

        init(_ totals: ShardTotals) {
            byteCount = Int64(totals.byteCount)
            count = Int64(totals.count)
        }

        /// Ones that no shard can have, as in a damaged file, count as none.
        var totals: ShardTotals {
            let range = Int64(0)...(1 << 48)
            guard range.contains(byteCount), range.contains(count) else { return .none }
            return ShardTotals(byteCount: Int(byteCount), count: Int(count))
        }
    }

    /// The sum of all, with what tells that it was written as a whole.
    private struct StoredSum: BitwiseCopyable {
        var totals = StoredTotals()
        var check: UInt64 = 0

        init() {}

        init(_ sum: ShardTotals) {
            totals = StoredTotals(sum)
            check = expectedCheck
        }

        var isWhole: Bool { check == expectedCheck }

        private var expectedCheck: UInt64 {
            let (byteCount, count) = (UInt64(bitPattern: totals.byteCount), UInt64(bitPattern: totals.count))
            return (byteCount &* 31 &+ count) ^ 0x4461_726B_726F_6F6D
        }
    }

    fileprivate let file: FileDescriptor?

    /// The totals of all shards together; too high, if they are wrong, until somebody counts them.
    func total() throws -> ShardTotals {
        let stored = try storedSum()
        return stored.isWhole ? stored.totals.totals : try countedTotal()
    }

    /// The same, added up and noted.
    func countedTotal() throws -> ShardTotals {
        let sum = try read(Shard.count).reduce(.none) { $0 + $1.totals }
        try setSum(sum)
        return sum
    }

    /// Those that have entries.
    func nonEmptyShards() throws -> [Shard] {
        let stored = try read(Shard.count)
        return Shard.all.filter { stored[$0.index].totals != .none }
    }

    /// Counts what is added to a shard or, when negative, removed from it.
    func add(_ totals: ShardTotals, to shard: Shard) throws {
        let old = try self.totals(of: shard)
        let sum = old + totals
        try change(old, to: ShardTotals(byteCount: max(0, sum.byteCount), count: max(0, sum.count)), of: shard)
    }

    /// Replaces the totals of a shard by what was found in it.
    func set(_ totals: ShardTotals, of shard: Shard) throws {
        try change(try self.totals(of: shard), to: totals, of: shard)
    }

    private func totals(of shard: Shard) throws -> ShardTotals { try read(1, from: shard.index)[0].totals }

    private func change(_ old: ShardTotals, to new: ShardTotals, of shard: Shard) throws {
        guard new != old else { return }
        let grows = new.byteCount > old.byteCount
        if grows { try addToSum(new - old) }
        let offset = shard.index * MemoryLayout<StoredTotals>.stride
        unsafe try withUnsafeBytes(of: StoredTotals(new)) { unsafe try file?.write($0, at: offset) }
        if !grows { try addToSum(new - old) }
    }

    private func addToSum(_ added: ShardTotals) throws {
        let stored = try storedSum()
        if stored.isWhole { try setSum(stored.totals.totals + added) }
    }

    private func storedSum() throws -> StoredSum {
        var stored = StoredSum()
        _ = unsafe try withUnsafeMutableBytes(of: &stored) { unsafe try file?.read(into: $0, at: Self.sumOffset) }
        return stored
    }

    private func setSum(_ sum: ShardTotals) throws {
        unsafe try withUnsafeBytes(of: StoredSum(sum)) { unsafe try file?.write($0, at: Self.sumOffset) }
    }

    /// When all shards were last looked through; long ago if never.
    func lastScan() throws -> FileTime {
        var time = Int64(0)
        _ = unsafe try withUnsafeMutableBytes(of: &time) { unsafe try file?.read(into: $0, at: Self.byteCount) }
        return FileTime(nanoseconds: Int(time))
    }

    /// Notes when all shards were last looked through, and what they have together.
    func setLastScan(_ time: FileTime) throws {
        unsafe try withUnsafeBytes(of: Int64(time.nanoseconds)) { unsafe try file?.write($0, at: Self.byteCount) }
        _ = try countedTotal()
    }

    /// How much of the file the totals take; the time of the last scan stands behind them.
    private static let byteCount = Shard.count * MemoryLayout<StoredTotals>.stride

    private static let sumOffset = byteCount + MemoryLayout<Int64>.stride

    /// What is missing at the end of the file is zero.
    private func read(_ count: Int, from index: Int = 0) throws -> [StoredTotals] {
        var stored = Array(repeating: StoredTotals(), count: count)
        let offset = index * MemoryLayout<StoredTotals>.stride
        _ = unsafe try stored.withUnsafeMutableBytes { unsafe try file?.read(into: $0, at: offset) }
        return stored
    }
}
