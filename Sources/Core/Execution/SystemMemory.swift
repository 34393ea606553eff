#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The memory that this process may use: the limit of its control groups, or the memory of the machine.
package struct SystemMemory: Sendable {
    /// The file that lists the control groups of this process.
    package var groupsFile = "/proc/self/cgroup"

    /// The mount point of the control groups.
    package var groupsFolder = "/sys/fs/cgroup"

    /// The physical memory of the machine, in bytes.
    package var machineByteCount = Self.physicalByteCount

    /// Creates the limits of this process. Arguments other than `nil` replace its files and sizes.
    package init(groupsFile: String? = nil, groupsFolder: String? = nil, machineByteCount: Int? = nil) {
        if let groupsFile { self.groupsFile = groupsFile }
        if let groupsFolder { self.groupsFolder = groupsFolder }
        if let machineByteCount { self.machineByteCount = machineByteCount }
    }

    /// The lowest limit among the process's groups, their ancestors and the machine.
    package var byteCount: Int {
        let unified = unifiedFolders.map { $0 + "/memory.max" }
        let legacy = folders(below: groupsFolder + "/memory") { $0.listMembers.contains("memory") }
            .map { $0 + "/memory.limit_in_bytes" }
        return (unified + legacy).compactMap(Self.limit).reduce(machineByteCount, min)
    }

    /// The folders of the process's version 2 group and of its ancestors, the innermost last.
    ///
    /// In a container the folder of the group itself may be missing, while the limit of the mounted root applies.
    var unifiedFolders: [String] { folders(below: groupsFolder) { $0.isEmpty } }

    /// Returns the number in the file at `path`; `nil` if there is none, which also means no limit.
    static func limit(in path: String) -> Int? {
        let text = SystemFile.text(of: path) ?? ""
        return Int(decimal: Substring(text.utf8.prefix(while: \.isASCIIDigit))).flatMap { $0 > 0 ? $0 : nil }
    }

    private static var physicalByteCount: Int {
        let (pages, pageSize) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
        let (bytes, overflow) = pages.multipliedReportingOverflow(by: pageSize)
        return pages > 0 && pageSize > 0 && !overflow ? bytes : 1 << 30
    }

    /// Returns the folders named in lines such as `0::/user.slice` (version 2) or `4:memory:/docker/1f` (version 1).
    private func folders(below folder: String, ofControllers isWanted: (Substring) -> Bool) -> [String] {
        let lines = (SystemFile.text(of: groupsFile) ?? "").fields(separatedBy: UInt8(ascii: "\n"))
        return lines.flatMap { line -> [String] in
            let fields = line.fields(separatedBy: UInt8(ascii: ":"), maxSplits: 2)
            guard fields.count == 3, isWanted(fields[1]) else { return [] }
            let names = fields[2].fields(separatedBy: UInt8(ascii: "/")).filter { !$0.isEmpty && $0 != ".." }
            return (0...names.count).map { depth in
                ([folder] + names.prefix(depth).map(String.init)).joined(separator: "/")
            }
        }
    }
}
