package import DarkroomPlatform

/// The operations on files that can fail.
package enum FileOperation: CaseIterable, Sendable {
    case open, create, read, write, move, remove, makeFolder, list, status, setTimes, lock, reserve, setLength
}

/// A change of the file system, or the opening of a file that is changed then. Paths are absolute if the caller's are.
package enum FileChange: Sendable {
    /// `file` is its number from now on. It is created if necessary.
    case open(path: FilePath, file: Int32)
    case write(file: Int32, bytes: Data, offset: Int)
    case reserve(file: Int32, byteCount: Int)
    case setLength(file: Int32, byteCount: Int)
    case setTimes(file: Int32, access: FileTime, modification: FileTime?)
    case move(from: FilePath, to: FilePath)
    case remove(path: FilePath)
    case makeFolder(path: FilePath)
    case removeFolder(path: FilePath)
}

/// A hook around every file system call that lets tests inject failures and record changes. It is `nil` otherwise.
package final class FileFaults: Sendable {
    private let allow: @Sendable (FileOperation, Int) throws(SystemError) -> Int
    private let changed: (@Sendable (FileChange) -> Void)?

    /// Creates a hook.
    ///
    /// - Parameters:
    ///   - changed: Called after every change.
    ///   - allow: Throws in place of a call, or returns the number of bytes that a write may write.
    package init(
        changed: (@Sendable (FileChange) -> Void)? = nil,
        allow: @escaping @Sendable (FileOperation, Int) throws(SystemError) -> Int
    ) {
        self.changed = changed
        self.allow = allow
    }

    /// Returns the number of bytes, at most `byteCount`, that a call may write. Throws if it is to fail.
    func permitted(_ byteCount: Int, _ call: FileOperation) throws(SystemError) -> Int {
        try min(byteCount, allow(call, byteCount))
    }

    /// Whether changes are recorded.
    var isRecording: Bool { changed != nil }

    /// Records `change`.
    func note(_ change: FileChange) { changed?(change) }
}
