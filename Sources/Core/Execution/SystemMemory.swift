import DarkroomPlatform

/// The memory that this process may use: the limit of its control groups, or the memory of the machine.
package struct SystemMemory: Sendable {
    /// The control groups of this process.
    package var groups: ControlGroups

    /// The physical memory of the machine, in bytes.
    package var machineByteCount = Self.physicalByteCount

    /// Creates the limits of `groups` and of a machine with `machineByteCount` bytes; by default, those of this process.
    package init(groups: ControlGroups = ControlGroups(), machineByteCount: Int? = nil) {
        self.groups = groups
        if let machineByteCount { self.machineByteCount = machineByteCount }
    }

    /// The lowest limit among the process's groups, their ancestors and the machine.
    package var byteCount: Int {
        let unified = groups.unifiedFolders.map { $0 + "/memory.max" }
        let legacy = groups.folders(of: "memory").map { $0 + "/memory.limit_in_bytes" }
        return (unified + legacy).compactMap(ControlGroups.limit).reduce(machineByteCount, min)
    }

    private static var physicalByteCount: Int {
        let (pages, pageSize) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
        let (bytes, overflow) = pages.multipliedReportingOverflow(by: pageSize)
        return pages > 0 && pageSize > 0 && !overflow ? bytes : 1 << 30
    }
}
