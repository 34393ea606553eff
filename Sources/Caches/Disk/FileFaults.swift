/// What a disk cache asks of the file system.
enum FileCall: CaseIterable, Sendable {
    case open, create, read, write, move, remove, makeFolder, list, status, setTimes, lock
}

/// Stands before every call to the file system, so that tests can let calls fail. Otherwise there is none.
final class FileFaults: Sendable {
    private let allow: @Sendable (FileCall, Int) throws(SystemError) -> Int

    /// `allow` throws in place of a call, or answers how many of the bytes that are to be written may be.
    init(allow: @escaping @Sendable (FileCall, Int) throws(SystemError) -> Int) { self.allow = allow }

    /// Throws if `call` is to fail.
    func check(_ call: FileCall) throws(SystemError) { _ = try allow(call, 0) }

    /// How many of `byteCount` bytes are written by the next call; throws if it is to fail.
    func writable(_ byteCount: Int) throws(SystemError) -> Int { try min(byteCount, allow(.write, byteCount)) }
}
