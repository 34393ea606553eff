import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A regular file that is open for reading for the lifetime of this value.
struct OpenFile: ~Copyable {
    /// The number of bytes read between two checks for cancellation.
    private static let sliceByteCount = 1 << 20

    private let descriptor: CInt
    private let path: FilePath
    private let status: FileStatus

    init(_ path: FilePath) throws(ImageError) {
        // Without O_NONBLOCK, opening a pipe without a writer would block; the kind of file is known only once it is
        // open.
        let descriptor = unsafe open(path.characters, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw ImageError(errno, path) }
        status = try Self.checkedStatus(of: descriptor, path)
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// Returns all bytes, copied into memory: if another process truncated a mapped file, reading it would kill this
    /// process.
    func contents(byteLimit: Int, _ cancellation: CancellationFlag) throws(ImageError) -> Data {
        try check(status.byteCount, byteLimit)
        // The reported size may be outdated or wrong, as in /proc, so reading continues to the end of the file. One
        // spare byte detects that end without another allocation.
        var data = Data(count: min(status.byteCount, 1 << 30) + 1)
        var byteCount = 0
        while true {
            try cancellation.check()
            let added = try fill(&data, from: byteCount)
            guard added > 0 else { return data.prefix(byteCount) }
            byteCount += added
            try check(byteCount, byteLimit)
            if byteCount == data.count { data.count += max(data.count, 1 << 12) }
        }
    }

    /// Returns the status of a regular file. For any other kind of file it closes the descriptor and throws.
    private static func checkedStatus(of descriptor: CInt, _ path: FilePath) throws(ImageError) -> FileStatus {
        do throws(ImageError) {
            let status = try FileStatus(of: descriptor, path)
            guard let kind = status.irregularKind else { return status }
            throw ImageError(.refused, .load, "\(path.description) is \(kind), and only regular files are read")
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Reads up to one slice, and returns the number of bytes read; 0 at the end.
    private func fill(_ data: inout Data, from offset: Int) throws(ImageError) -> Int {
        let room = min(data.count - offset, Self.sliceByteCount)
        while true {
            let count = unsafe data.withUnsafeMutableBytes { bytes in
                unsafe read(descriptor, bytes.baseAddress.map { unsafe $0 + offset }, room)
            }
            if count >= 0 { return count }
            guard errno == EINTR else { throw ImageError(errno, path) }
        }
    }

    private func check(_ byteCount: Int, _ bound: Int) throws(ImageError) {
        guard byteCount <= bound else {
            throw .overLimit("encodedByteCount", value: byteCount, bound: bound, stage: .load)
        }
    }
}
