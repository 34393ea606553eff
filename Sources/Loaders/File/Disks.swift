import DarkroomCore
import DarkroomFiles
import Synchronization

/// The threads that read the files of a disk.
struct Disk: Sendable {
    var files = WorkExecutor(name: "files", width: 2)
    /// Separate, so that images in memory do not wait for files that are being read.
    let versions = WorkExecutor(name: "file-versions", width: 2)
    /// Gives up the operations on both when the disk does not answer.
    var watch = HangWatch.forSources()
}

/// The disks of this machine, which are its mounted file systems. One that does not answer stops no other.
final class Disks: Sendable {
    private struct State {
        var mountPoints = MountPoints("")
        var readAt: ContinuousClock.Instant?
        var disks: [String: Disk] = [:]
    }

    private let readTable: @Sendable () -> String?
    private let makeDisk: @Sendable () -> Disk
    private let checkInterval: Duration
    private let reader = WorkExecutor(name: "mount-points", width: 1)
    private let state = Mutex(State())

    /// Creates the disks of the table that `readTable` returns, which is read again after `checkInterval`. Without a table,
    /// there is a single disk.
    init(
        readTable: @escaping @Sendable () -> String? = {
            SystemFile.text(of: "/proc/self/mountinfo", byteLimit: 1 << 20)
        },
        makeDisk: @escaping @Sendable () -> Disk = { Disk() }, checkInterval: Duration = .seconds(1)
    ) {
        (self.readTable, self.makeDisk, self.checkInterval) = (readTable, makeDisk, checkInterval)
    }

    /// Returns the disk with the file at `path`. The table is read on a thread of its own.
    func disk(of path: FilePath) async throws -> Disk {
        if isTableDue { try await reader.run(updateMountPoints) }
        let mountPoint = state.withLock(\.mountPoints).mountPoint(of: path)
        return state.withLock { state in
            if let disk = state.disks[mountPoint] { return disk }
            let disk = makeDisk()
            state.disks[mountPoint] = disk
            return disk
        }
    }

    private var isTableDue: Bool { state.withLock(\.readAt).map { .now - $0 >= checkInterval } ?? true }

    private func updateMountPoints() {
        // Another caller may have updated them before.
        guard isTableDue else { return }
        let mountPoints = MountPoints(readTable() ?? "")
        state.withLock { state in
            state.mountPoints = mountPoints
            state.disks = state.disks.filter { mountPoints.paths.contains($0.key) }
            state.readAt = .now
        }
    }
}
