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

/// A regular file, open for reading as long as this lives.
struct OpenFile: ~Copyable {
    /// So much is read between two looks at the cancellation.
    private static let sliceByteCount = 1 << 20

    private let descriptor: CInt
    private let path: FilePath
    private let status: FileStatus

    init(_ path: FilePath) throws(ImageError) {
        // Without O_NONBLOCK, opening a pipe that nobody writes to would wait; what it is can be asked only once it is open.
        let descriptor = unsafe open(path.characters, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw ImageError(errno, path) }
        status = try Self.checkedStatus(of: descriptor, path)
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// All bytes, in memory of our own: reading a mapped file that somebody cuts short would kill the process.
    func contents(byteLimit: Int, _ cancellation: CancellationFlag) throws(ImageError) -> Data {
        try check(status.byteCount, byteLimit)
        // The size was asked a moment ago, or is a lie as in /proc: the file ends where reading ends. With one byte of
        // room to spare, that shows without another allocation.
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

    /// The status of a regular file. For anything else an error, and the descriptor is closed.
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

    /// Reads some bytes, and answers how many; 0 at the end.
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
