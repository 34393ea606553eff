import CTIFF
import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A file opened by libtiff. Owned by one task.
@safe final class TIFFHandle {
    /// The file, which all functions of libtiff take.
    let tiff: OpaquePointer

    private let stream: TIFFStream
    private let log: UnsafeMutablePointer<ctiff_log>

    /// Opens `data` to read pages. libtiff allocates at most `limits.decodedByteCount` bytes at once.
    convenience init(reading data: Data, limits: DecodeLimits) throws(ImageError) {
        // Without the first directory, without mapping, and without the tables of strips until they are needed.
        try self.init(TIFFStream(data), mode: "rhmD", allocationLimit: max(limits.decodedByteCount, 1 << 20))
    }

    /// Creates a file of at most `byteLimit` bytes.
    convenience init(writingAtMost byteLimit: Int) throws(ImageError) {
        try self.init(TIFFStream(byteLimit: byteLimit), mode: "wl", allocationLimit: 0)
    }

    private init(_ stream: TIFFStream, mode: String, allocationLimit: Int) throws(ImageError) {
        let log = UnsafeMutablePointer<ctiff_log>.allocate(capacity: 1)
        unsafe log.initialize(to: ctiff_log())
        // Not retained: the handle owns the stream, and closes the file before it is released.
        let client = unsafe Unmanaged.passUnretained(stream).toOpaque()
        let tiff = unsafe ctiff_open(
            mode, client,
            { unsafe tmsize_t(owner($0).read(UnsafeMutableRawBufferPointer(start: $1, count: Int(max($2, 0))))) },
            { unsafe tmsize_t(owner($0).write(UnsafeRawBufferPointer(start: $1, count: Int(max($2, 0))))) },
            { unsafe owner($0).seek($1, from: $2) ?? .max },
            { _ in 0 },
            { unsafe toff_t(owner($0).count) },
            tmsize_t(allocationLimit), log)
        self.stream = stream
        unsafe self.log = log
        guard let tiff = unsafe tiff else {
            let text = unsafe log.pointee.message
            unsafe log.deallocate()
            throw ImageError(
                stream.isReadBeyondEnd ? .incomplete : .corrupt, .decode, "the TIFF cannot be opened (libtiff: \(text))"
            )
        }
        unsafe self.tiff = tiff
    }

    deinit {
        unsafe TIFFClose(tiff)
        unsafe log.deallocate()
    }

    /// The last message of libtiff since `clearMessages()`; `nil` if there was none.
    var message: String? { unsafe log.pointee.count > 0 ? log.pointee.message : nil }

    /// Forgets the messages so far.
    func clearMessages() { unsafe log.pointee.count = 0 }

    /// Whether libtiff has requested bytes beyond the end of the file.
    var isTruncated: Bool { stream.isReadBeyondEnd }

    /// Whether a file being written has become too long.
    var isTooLong: Bool { stream.isTooLong }

    /// The number of bytes of a file being written.
    var byteCount: Int { stream.count }

    /// Returns an error about the file, with the last message of libtiff.
    func error(_ sentence: String) -> ImageError {
        ImageError(
            isTruncated ? .incomplete : .corrupt, .decode, "\(sentence) (libtiff: \(message ?? "no reason given"))")
    }

    /// Completes a file, and returns it. Nothing may be written to it afterwards.
    func finish() -> Data {
        unsafe TIFFFlush(tiff)
        return stream.data
    }
}

private func owner(_ handle: thandle_t?) -> TIFFStream {
    // The stream is a property of the handle, which closes the file first; libtiff passes on what `ctiff_open` received.
    unsafe Unmanaged<TIFFStream>.fromOpaque(handle.unsafelyUnwrapped).takeUnretainedValue()
}

extension ctiff_log {
    fileprivate var message: String {
        unsafe withUnsafeBytes(of: text) { bytes in unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
