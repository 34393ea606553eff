import DarkroomPlatform

/// The processors that this process may use: the limits of its control groups, or the processors of the machine that its
/// affinity allows.
package struct SystemProcessors: Sendable {
    /// The count for this process, read once.
    package static let usableCount = SystemProcessors().count

    /// The control groups of this process.
    package var groups = ControlGroups()

    /// The file with the affinity of this process.
    package var statusFile = "/proc/self/status"

    /// The number of processors of the machine.
    package var machineCount = ProcessInfo.processInfo.activeProcessorCount

    /// Creates the limits of this process.
    package init() {}

    /// The lowest limit among the process's groups, their ancestors, its affinity and the machine. A part of a processor
    /// counts as one.
    package var count: Int {
        let unified = groups.unifiedFolders.map { ControlGroups.limits(in: $0 + "/cpu.max") }
        let legacy = groups.folders(of: "cpu").map { folder in
            ["/cpu.cfs_quota_us", "/cpu.cfs_period_us"].map { ControlGroups.limit(in: folder + $0) }
        }
        let limits = (unified + legacy).compactMap(Self.processorCount) + [affinityCount].compactMap { $0 }
        return max(1, limits.reduce(machineCount, min))
    }

    /// Returns the number of processors for a quota and a period, both in microseconds; `nil` without a quota.
    private static func processorCount(_ limits: [Int?]) -> Int? {
        guard limits.count == 2, let quota = limits[0], let period = limits[1] else { return nil }
        let (whole, part) = quota.quotientAndRemainder(dividingBy: period)
        return part == 0 ? whole : whole + 1
    }

    /// The number of processors that the affinity allows, from a line such as `Cpus_allowed: 3,ffffffff`; `nil` if there
    /// is none.
    private var affinityCount: Int? {
        let lines = (SystemFile.text(of: statusFile) ?? "").fields(separatedBy: UInt8(ascii: "\n"))
        guard let line = lines.first(where: { $0.utf8.starts(with: "Cpus_allowed:".utf8) }) else { return nil }
        let mask = line.fields(separatedBy: UInt8(ascii: ":"))[1]
        let count = mask.fields(separatedBy: UInt8(ascii: ",")).reduce(0) { sum, part in
            sum + (UInt64(part.trimmed, radix: 16)?.nonzeroBitCount ?? 0)
        }
        return count > 0 ? count : nil
    }
}
