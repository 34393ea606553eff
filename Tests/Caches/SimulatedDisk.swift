import DarkroomFiles
import DarkroomPlatform
import FoundationEssentials

/// A disk after some of the effects of a journal.
struct SimulatedDisk {
    private enum Node {
        case folder
        case file(Int)
    }

    private var nodes: [String: Node] = [:]
    private var files: [Int: SimulatedFile] = [:]

    /// Applies `effect`. What needs a folder that is missing has no effect.
    mutating func apply(_ effect: DiskEffect) {
        switch effect {
        case .link(let path, let file): nodes[path] = .file(file)
        case .unlink(let path), .removeFolder(let path): nodes[path] = nil
        case .folder(let path): nodes[path] = .folder
        case .moveFolder(let old, let new):
            for (path, node) in nodes where path == old || path.hasPrefix(old + "/") {
                nodes[path] = nil
                nodes[new + path.dropFirst(old.count)] = node
            }
        case .bytes(let bytes, let file, let offset): files[file, default: SimulatedFile()].write(bytes, at: offset)
        case .length(let length, let file):
            files[file, default: SimulatedFile()].length = max(files[file]?.length ?? 0, length)
        case .cut(let length, let file): files[file, default: SimulatedFile()].cut(to: length)
        case .times(let access, let modification, let file):
            files[file, default: SimulatedFile()].times = (access, modification)
        }
    }

    /// Makes the contents of the folder `root` those of the disk. Files of `originals`, by their numbers, keep their
    /// identity: they are links to these paths.
    func write(to root: URL, originals: [Int: URL]) throws {
        try? FileManager.default.removeItem(at: root)
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        for (path, node) in nodes.sorted(by: { $0.key < $1.key }) {
            let url = root.appending(path: path)
            guard FilePath(text: url.path).folder.isFolder else { continue }
            switch node {
            case .folder: _ = try FilePath(text: url.path).makeOneFolder()
            case .file(let number):
                if let original = originals[number] {
                    try FileManager.default.linkItem(at: original, to: url)
                }
                try files[number, default: SimulatedFile()].write(to: FilePath(text: url.path))
            }
        }
    }
}

/// A file of a simulated disk.
private struct SimulatedFile {
    private static let pageSize = 4096

    private var pages: [Int: [UInt8]] = [:]
    var length = 0
    var times: (access: FileTime, modification: FileTime?)?

    mutating func write(_ bytes: [UInt8], at offset: Int) {
        var position = 0
        while position < bytes.count {
            let (page, start) = (offset + position).quotientAndRemainder(dividingBy: Self.pageSize)
            let count = min(Self.pageSize - start, bytes.count - position)
            var content = pages[page] ?? Array(repeating: 0, count: Self.pageSize)
            content.replaceSubrange(start..<start + count, with: bytes[position..<position + count])
            pages[page] = content
            position += count
        }
    }

    mutating func cut(to length: Int) {
        self.length = length
        let (last, start) = length.quotientAndRemainder(dividingBy: Self.pageSize)
        pages = pages.filter { $0.key <= last }
        if let content = pages[last] {
            pages[last] = content[..<start] + Array(repeating: 0, count: Self.pageSize - start)
        }
    }

    /// Bytes beyond the length have not reached the disk.
    func write(to path: FilePath) throws {
        let file = try FileDescriptor(path, for: .updating)
        try file.setLength(0)
        for (page, content) in pages {
            let start = page * Self.pageSize
            guard start < length else { continue }
            let bytes = content.prefix(length - start)
            unsafe try bytes.withUnsafeBytes { unsafe try file.write($0, at: start) }
        }
        try file.setLength(length)
        if let times { try file.setTimes(access: times.access, modification: times.modification) }
    }
}
