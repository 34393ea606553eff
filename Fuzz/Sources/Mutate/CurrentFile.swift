#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Stores the input under test on disk, so that it is available after a crash.
final class CurrentFile {
    private let path: String
    private let descriptor: Int32

    init(_ path: String) {
        self.path = path
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_TRUNC, 0o644)
        precondition(descriptor >= 0, "cannot write \(path)")
    }

    deinit { close(descriptor) }

    func store(_ bytes: [UInt8]) {
        let written = unsafe pwrite(descriptor, bytes, bytes.count, 0)
        precondition(written == bytes.count && ftruncate(descriptor, bytes.count) == 0, "cannot write \(path)")
    }

    func remove() { unsafe unlink(path) }
}
