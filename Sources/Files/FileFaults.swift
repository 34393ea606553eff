/// The operations on files that can fail.
package enum FileOperation: CaseIterable, Sendable {
    case open, create, read, write, move, remove, makeFolder, list, status, setTimes, lock, reserve, setLength
}

/// A hook before every file system call that lets tests inject failures. It is `nil` otherwise.
package final class FileFaults: Sendable {
    private let allow: @Sendable (FileOperation, Int) throws(SystemError) -> Int

    /// Creates a hook. `allow` throws instead of a call, or returns the number of bytes that a write may write.
    package init(allow: @escaping @Sendable (FileOperation, Int) throws(SystemError) -> Int) { self.allow = allow }

    /// Throws if `call` is to fail.
    func check(_ call: FileOperation) throws(SystemError) { _ = try allow(call, 0) }

    /// Returns the number of bytes, at most `byteCount`, that the next write writes. Throws if it is to fail.
    func writable(_ byteCount: Int) throws(SystemError) -> Int { try min(byteCount, allow(.write, byteCount)) }
}
