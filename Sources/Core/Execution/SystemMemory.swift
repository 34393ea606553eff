#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// How much memory this process may use: what its control groups allow, or what the machine has.
package struct SystemMemory: Sendable {
    /// The file that names the control groups of this process.
    package var groupsFile = "/proc/self/cgroup"

    /// Where control groups are mounted.
    package var groupsFolder = "/sys/fs/cgroup"

    /// What the machine has.
    package var machineByteCount = Self.physicalByteCount

    /// That of this process, unless other files and sizes are given.
    package init(groupsFile: String? = nil, groupsFolder: String? = nil, machineByteCount: Int? = nil) {
        if let groupsFile { self.groupsFile = groupsFile }
        if let groupsFolder { self.groupsFolder = groupsFolder }
        if let machineByteCount { self.machineByteCount = machineByteCount }
    }

    /// The least of what the groups, all groups around them and the machine allow.
    package var byteCount: Int {
        let unified = unifiedFolders.map { $0 + "/memory.max" }
        let legacy = folders(below: groupsFolder + "/memory") { $0.listMembers.contains("memory") }
            .map { $0 + "/memory.limit_in_bytes" }
        return (unified + legacy).compactMap(Self.limit).reduce(machineByteCount, min)
    }

    /// The folders of this process's group of version 2, and of all groups around it, the innermost last.
    ///
    /// In a container the folder of the group itself may not be there, while the mounted root is what holds.
    var unifiedFolders: [String] { folders(below: groupsFolder) { $0.isEmpty } }

    /// The number in the file at `path`; `nil` for none, which also stands for no limit.
    static func limit(in path: String) -> Int? {
        let text = SystemFile.text(of: path) ?? ""
        return Int(decimal: Substring(text.utf8.prefix(while: \.isASCIIDigit))).flatMap { $0 > 0 ? $0 : nil }
    }

    private static var physicalByteCount: Int {
        let (pages, pageSize) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
        let (bytes, overflow) = pages.multipliedReportingOverflow(by: pageSize)
        return pages > 0 && pageSize > 0 && !overflow ? bytes : 1 << 30
    }

    /// The folders named in lines such as `0::/user.slice` (version 2) or `4:memory:/docker/1f` (version 1).
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
