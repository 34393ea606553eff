import DarkroomCore
import DarkroomFiles
import DarkroomPlatform
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
///
/// Removals need no disk space. It is reserved when the file is made, for all but the sources, where the file system can
/// do that. Elsewhere, and in a file without it, a removal does without what cannot be written.
final class ShardUsage: Sendable {
    /// The ways in which a caller uses the entries.
    enum Purpose {
        /// Finding, counting or evicting them.
        case use
        /// Removing them for good, so that no load may store what it has found before.
        case removal
        /// Adding one, or what is about to be one.
        case addition
    }

    private struct OpenFile {
        let file: FileDescriptor
        let identity: FileStatus.Identity
        /// Where filters are valid; `nil` if nowhere.
        let era: UInt64?
        /// Whether nothing more can be done to reserve disk space.
        var isReserved = false
    }

    private struct State {
        var open: OpenFile?
        /// Whether entries were removed for good with that file.
        var hasRemoved = false
        /// Whether the next file must be told that the tickets taken before have ended.
        var hasUnwrittenEnd = false
        /// The count of tickets that are taken without a file.
        var countWithoutFile = EndCount.random()

        /// Whether another process holds the lock for long, as one does that was stopped.
        var isHeldForLong = false

        /// Forgets the file, which was deleted with what it knew about tickets that loads may still have.
        mutating func forgetFile() {
            open = nil
            countWithoutFile = .random()
            if hasRemoved { noteRemovalWithoutFile() }
            hasRemoved = false
        }

        mutating func noteRemovalWithoutFile() {
            countWithoutFile = countWithoutFile.next
            hasUnwrittenEnd = true
        }
    }

    /// Whether the file and its folder may be written.
    let access: FolderAccess

    private let path: FilePath
    private let scope: FilterScope
    private let state = Mutex(State())

    /// Creates the totals stored in the file at `path`. The parent folder must be created separately.
    init(_ path: FilePath, scope: FilterScope = .current) {
        self.path = path
        self.scope = scope
        access = FolderAccess(usageFile: path)
    }

    /// Runs `body` with exclusive access, both in this process and among processes.
    ///
    /// The file is created only if its folder exists, and not just to use the entries; otherwise a removed folder would
    /// reappear. Without the file, there are no entries to count. An addition then throws. In a folder that may only be
    /// read, the table cannot be changed, and no process changes it meanwhile.
    func withLock<Result: Sendable>(
        for purpose: Purpose = .use, _ body: (UsageTable) throws -> Result
    ) throws -> Result {
        try state.withLock { state in
            if let refusal = access.refusal {
                let file = try lockToRead(&state)
                defer { file?.unlock() }
                return try body(UsageTable(file: file, refusal: refusal))
            }
            let locked = try lock(for: purpose, in: &state)
            defer { locked?.unlock() }
            let table = UsageTable(file: locked, era: state.open?.era, countWithoutFile: state.countWithoutFile)
            if locked == nil {
                guard purpose != .addition else { throw SystemError.missing }
                if purpose == .removal { state.noteRemovalWithoutFile() }
            } else {
                try prepare(table, for: purpose, in: &state)
            }
            return try body(table)
        }
    }

    private func prepare(_ table: UsageTable, for purpose: Purpose, in state: inout State) throws {
        if purpose != .use || state.hasUnwrittenEnd {
            try table.begin(afterRemoval: state.hasUnwrittenEnd)
            state.hasUnwrittenEnd = false
        }
        if purpose != .use { reserve(&state.open) }
        if purpose == .removal { state.hasRemoved = true }
    }

    /// Opens the file, and locks it if possible.
    private func lockToRead(_ state: inout State) throws -> FileDescriptor? {
        var reading = State(isHeldForLong: state.isHeldForLong)
        defer { state.isHeldForLong = reading.isHeldForLong }
        return try lock(in: .inspecting, &reading)
    }

    private func lock(for purpose: Purpose, in state: inout State) throws -> FileDescriptor? {
        guard purpose != .use else { return try lock(in: .changing, &state) }
        do {
            return try lock(in: .updating, &state)
        } catch let error as SystemError where error.isDiskFull && purpose == .removal {
            return try lock(in: .changing, &state)
        }
    }

    /// Locks the file currently at `path`: another process may have removed the folder and created it again.
    private func lock(in mode: FileDescriptor.Mode, _ state: inout State) throws -> FileDescriptor? {
        while let current = try state.open ?? openFile(in: mode) {
            try lock(current.file, in: mode, &state)
            var isCurrent = false
            // Closing the file does not suffice while a process that is being started has it, too.
            defer { if !isCurrent { current.file.unlock() } }
            isCurrent = try current.identity == path.status()?.identity
            state.open = current
            if isCurrent { return current.file }
            state.forgetFile()
        }
        return nil
    }

    /// Locks `file`. After a wait in vain, later calls fail immediately until the lock is free.
    private func lock(_ file: FileDescriptor, in mode: FileDescriptor.Mode, _ state: inout State) throws {
        let limit = state.isHeldForLong ? .zero : HeldLock.limit
        do throws(SystemError) {
            if mode == .inspecting { try file.lockShared(within: limit) } else { try file.lock(within: limit) }
        } catch {
            guard error.code != EWOULDBLOCK else {
                state.isHeldForLong = true
                throw HeldLock()
            }
            // Some file systems that are mounted for reading have no locks, and need none.
            guard mode == .inspecting else { throw error }
        }
        state.isHeldForLong = false
    }

    /// Opens the file. Returns `nil` if it, or its folder, does not exist.
    private func openFile(in mode: FileDescriptor.Mode) throws(SystemError) -> OpenFile? {
        do {
            let file = try FileDescriptor(path, for: mode)
            let identity = try file.status().identity
            return OpenFile(file: file, identity: identity, era: scope.era(of: identity))
        } catch let error where error.isMissing {
            return nil
        }
    }

    /// Reserves the disk space that removals need, unless that was done. If the disk is full, the next caller tries again.
    private func reserve(_ open: inout OpenFile?) {
        guard let file = open?.file, open?.isReserved == false else { return }
        do {
            try file.reserve(UsageTable.reservedByteCount)
            open?.isReserved = true
        } catch {
            // Not every file system can do that.
            open?.isReserved = !error.isDiskFull
        }
    }
}
