import DarkroomCore
import DarkroomFiles

/// The places where file systems are mounted.
struct MountPoints: Sendable {
    let paths: Set<String>

    /// Reads the table that the kernel makes for a process. The fifth word of each line is a mount point, such as
    /// `/media/USB\040stick`.
    ///
    /// Source: proc_pid_mountinfo(5).
    init(_ table: String) {
        let words = table.fields(separatedBy: UInt8(ascii: "\n")).map {
            $0.fields(separatedBy: UInt8(ascii: " "), maxSplits: 5)
        }
        paths = Set(words.filter { $0.count > 5 }.map { Self.unescaped($0[4]) }).union(["/"])
    }

    /// Returns the mount point of the file system with the item at `path`, which is absolute.
    ///
    /// Only the text of the path counts. Links are not followed, because a file system would have to answer.
    func mountPoint(of path: FilePath) -> String {
        var (folder, mountPoint) = ("", "/")
        for name in path.text.fields(separatedBy: UInt8(ascii: "/")) where !name.isEmpty && name != "." {
            folder += "/\(name)"
            if paths.contains(folder) { mountPoint = folder }
        }
        return mountPoint
    }

    /// Returns the text of a word, in which three octal digits after a backslash stand for a byte.
    private static func unescaped(_ word: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = word.utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), let code = UInt8(Substring(rest.prefix(3)), radix: 8) {
                bytes.append(code)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
