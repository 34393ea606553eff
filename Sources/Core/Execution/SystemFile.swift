import DarkroomPlatform

/// Reads small text files that the kernel generates on access, such as those of `/proc`.
package enum SystemFile {
    /// Returns the first `byteLimit` bytes of the file at `path`, regardless of the size that `stat` reports; `nil` if it
    /// cannot be read.
    package static func text(of path: String, byteLimit: Int = 64 << 10) -> String? {
        // Without `O_NONBLOCK`, opening a named pipe would block.
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: byteLimit)
        var count = 0
        while count < bytes.count {
            let added = unsafe bytes.withUnsafeMutableBytes {
                unsafe read(file, $0.baseAddress?.advanced(by: count), $0.count - count)
            }
            guard added >= 0 else { return nil }
            guard added > 0 else { break }
            count += added
        }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
