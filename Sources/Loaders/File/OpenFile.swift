import DarkroomCore
import DarkroomFiles
import DarkroomPlatform

/// A regular file that is open for reading for the lifetime of this value.
struct OpenFile {
    /// The number of bytes read between two checks for cancellation.
    private static let sliceByteCount = 1 << 20

    private let descriptor: FileDescriptor
    private let path: FilePath
    let status: FileStatus
    private let byteLimit: Int

    /// Opens the file at `path`. Throws an error if it has more than `byteLimit` bytes.
    init(_ path: FilePath, byteLimit: Int) throws(ImageError) {
        do {
            // The kind of a file is certain only once it is open.
            descriptor = try FileDescriptor(path, for: .visiting)
            status = try descriptor.status()
        } catch {
            throw ImageError(error, of: path)
        }
        (self.path, self.byteLimit) = (path, byteLimit)
        guard status.isRegular else {
            throw ImageError(.refused, .load, "\(path.text) is \(status.kind), and only regular files are read")
        }
        try check(status.byteCount)
    }

    /// Returns all bytes, copied into memory: if another process truncated a mapped file, reading it would kill this
    /// process. Calls `onSlice` after each part that was read.
    func contents(_ cancellation: CancellationFlag, onSlice: () -> Void) throws(ImageError) -> Data {
        // The reported size may be outdated or wrong, as in /proc, so reading continues to the end of the file. One
        // spare byte detects that end without another allocation.
        var data = Data(count: min(status.byteCount, 1 << 30) + 1)
        var byteCount = 0
        while true {
            try cancellation.check()
            let added = try fill(&data, from: byteCount)
            onSlice()
            guard added > 0 else { return data.prefix(byteCount) }
            byteCount += added
            try check(byteCount)
            if byteCount == data.count { data.count += max(data.count, 1 << 12) }
        }
    }

    /// Reads up to one slice, and returns the number of bytes read; 0 at the end.
    private func fill(_ data: inout Data, from offset: Int) throws(ImageError) -> Int {
        let end = min(data.count, offset + Self.sliceByteCount)
        let result = unsafe data.withUnsafeMutableBytes { bytes in
            Result { () throws(SystemError) in
                let slice = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<end])
                return unsafe try descriptor.read(into: slice, at: offset)
            }
        }
        return try result.mapError { ImageError($0, of: path) }.get()
    }

    private func check(_ byteCount: Int) throws(ImageError) {
        guard byteCount <= byteLimit else {
            throw .overLimit("encodedByteCount", value: byteCount, bound: byteLimit, stage: .load)
        }
    }
}
