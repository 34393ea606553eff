#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// How much memory this process may use: what its control groups allow, or what the machine has.
struct SystemMemory {
    /// The file that names the control groups of this process.
    var groupsFile = "/proc/self/cgroup"

    /// Where control groups are mounted.
    var groupsFolder = "/sys/fs/cgroup"

    /// What the machine has.
    var machineByteCount = Self.physicalByteCount

    /// The least of what the groups, all groups around them and the machine allow.
    var byteCount: Int {
        let groups = (try? FileDescriptor.text(of: groupsFile)) ?? ""
        return groups.split(separator: "\n").flatMap(limits).reduce(machineByteCount, min)
    }

    private static var physicalByteCount: Int {
        let (pages, pageSize) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
        let (bytes, overflow) = pages.multipliedReportingOverflow(by: pageSize)
        return pages > 0 && pageSize > 0 && !overflow ? bytes : 1 << 30
    }

    /// The limits that hold for a line such as `0::/user.slice` (version 2) or `4:memory:/docker/1f` (version 1).
    private func limits(of line: Substring) -> [Int] {
        let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3 else { return [] }
        switch fields[1] {
        case "": return limits(of: fields[2], in: groupsFolder, file: "memory.max")
        case let names where names.split(separator: ",").contains("memory"):
            return limits(of: fields[2], in: groupsFolder + "/memory", file: "memory.limit_in_bytes")
        default: return []
        }
    }

    /// In a container the folder of the group itself may not be there, while the mounted root is what holds.
    private func limits(of group: Substring, in folder: String, file: String) -> [Int] {
        let names = group.split(separator: "/").filter { $0 != ".." }
        return (0...names.count).compactMap { depth in
            let path = ([folder] + names.prefix(depth).map(String.init) + [file]).joined(separator: "/")
            let text = (try? FileDescriptor.text(of: path)) ?? ""
            return Int(text.prefix { $0.isNumber }).flatMap { $0 > 0 ? $0 : nil }
        }
    }
}
