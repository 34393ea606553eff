/// The control groups of this process and their ancestors, in which the kernel limits memory and processor time.
package struct ControlGroups: Sendable {
    /// The file that lists the groups of this process.
    package var file = "/proc/self/cgroup"

    /// The mount point of the groups.
    package var folder = "/sys/fs/cgroup"

    /// Creates the groups of this process. Arguments other than `nil` replace its files.
    package init(file: String? = nil, folder: String? = nil) {
        if let file { self.file = file }
        if let folder { self.folder = folder }
    }

    /// The folders of the process's version 2 group and of its ancestors, the innermost last.
    ///
    /// In a container the folder of the group itself may be missing, while the limit of the mounted root applies.
    var unifiedFolders: [String] { folders(below: folder) { $0.isEmpty } }

    /// Returns the folders of the process's version 1 group of `controller` and of its ancestors, the innermost last.
    func folders(of controller: String) -> [String] {
        folders(below: "\(folder)/\(controller)") { $0.listMembers.contains(controller) }
    }

    /// Returns the positive number with which the file at `path` begins; `nil` if there is none, which also means no
    /// limit.
    static func limit(in path: String) -> Int? { limits(in: path).first ?? nil }

    /// Returns the words of the file at `path` as positive numbers; `nil` for each other word.
    static func limits(in path: String) -> [Int?] {
        (SystemFile.text(of: path) ?? "").fields(separatedBy: UInt8(ascii: " ")).map { word in
            Int(decimal: Substring(word.utf8.prefix(while: \.isASCIIDigit))).flatMap { $0 > 0 ? $0 : nil }
        }
    }

    /// Returns the folders named in lines such as `0::/user.slice` (version 2) or `4:memory:/docker/1f` (version 1).
    private func folders(below folder: String, ofControllers isWanted: (Substring) -> Bool) -> [String] {
        let lines = (SystemFile.text(of: file) ?? "").fields(separatedBy: UInt8(ascii: "\n"))
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
