import DarkroomFiles
import DarkroomPlatform
import Synchronization

/// An effect of a call on the disk. Without `fsync`, each of them may be lost on its own when the power fails.
enum DiskEffect: Sendable {
    /// A name in a folder leads to a file.
    case link(path: String, file: Int)
    case unlink(path: String)
    case folder(path: String)
    case removeFolder(path: String)
    case moveFolder(from: String, to: String)
    case bytes([UInt8], file: Int, offset: Int)
    /// The file has at least this length.
    case length(Int, file: Int)
    /// The file has exactly this length.
    case cut(Int, file: Int)
    case times(access: FileTime, modification: FileTime?, file: Int)
}

/// Records the calls that change something in a folder, so that a crash after any of them can be simulated.
final class DiskJournal: Sendable {
    private struct State {
        var calls: [[DiskEffect]] = []
        /// The files by the paths that lead to them, relative to the folder.
        var files: [String: Int] = [:]
        /// The files by their numbers in the process.
        var open: [Int32: Int] = [:]
        var fileCount = 0
    }

    private let root: String
    private let state = Mutex(State())

    /// Creates a journal of what happens below the folder `root`.
    init(root: String) { self.root = root }

    /// The effects of each call so far.
    var calls: [[DiskEffect]] { state.withLock(\.calls) }

    /// The present files by their relative paths.
    var files: [String: Int] { state.withLock(\.files) }

    /// The hook of a cache whose changes are recorded.
    var faults: FileFaults {
        FileFaults { [self] change in
            state.withLock { state in
                let effects = effects(of: change, &state)
                if !effects.isEmpty { state.calls.append(effects) }
            }
        } allow: { _, byteCount in
            byteCount
        }
    }

    private func relative(_ path: FilePath) -> String { String(path.text.dropFirst(root.count + 1)) }

    private func effects(of change: FileChange, _ state: inout State) -> [DiskEffect] {
        switch change {
        case .open(let path, let number):
            let path = relative(path)
            if let file = state.files[path] {
                state.open[number] = file
                return []
            }
            state.fileCount += 1
            (state.files[path], state.open[number]) = (state.fileCount, state.fileCount)
            return [.link(path: path, file: state.fileCount)]
        case .write(let number, let bytes, let offset):
            let file = state.open[number] ?? 0
            return [.length(offset + bytes.count, file: file), .bytes([UInt8](bytes), file: file, offset: offset)]
        case .reserve(let number, let byteCount): return [.length(byteCount, file: state.open[number] ?? 0)]
        case .setLength(let number, let byteCount): return [.cut(byteCount, file: state.open[number] ?? 0)]
        case .setTimes(let number, let access, let modification):
            return [.times(access: access, modification: modification, file: state.open[number] ?? 0)]
        case .move(let old, let new): return move(relative(old), relative(new), &state)
        case .remove(let path):
            state.files[relative(path)] = nil
            return [.unlink(path: relative(path))]
        case .makeFolder(let path): return [.folder(path: relative(path))]
        case .removeFolder(let path): return [.removeFolder(path: relative(path))]
        }
    }

    private func move(_ old: String, _ new: String, _ state: inout State) -> [DiskEffect] {
        if let file = state.files.removeValue(forKey: old) {
            state.files[new] = file
            return [.link(path: new, file: file), .unlink(path: old)]
        }
        for (path, file) in state.files where path.hasPrefix(old + "/") {
            state.files[path] = nil
            state.files[new + path.dropFirst(old.count)] = file
        }
        return [.moveFolder(from: old, to: new)]
    }
}
