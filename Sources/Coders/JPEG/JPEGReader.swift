import CJPEG
import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// libjpeg's reader of one file.
@safe final class JPEGReader {
    private let handle: OpaquePointer
    private let header: CJPEGHeader
    private let request: DecodeRequest

    /// Lends `body` a reader that has read the header of the request's data.
    static func withReader<Result>(
        of request: DecodeRequest, _ body: (JPEGReader) throws -> Result
    ) throws -> Result {
        try unsafe request.data.withUnsafeBytes { bytes in
            try body(unsafe JPEGReader(bytes, request))
        }
    }

    // libjpeg keeps a pointer into `bytes`, so they must outlive the reader.
    private init(_ bytes: UnsafeRawBufferPointer, _ request: DecodeRequest) throws(ImageError) {
        let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard let handle = unsafe cjpeg_decoder_create(start, bytes.count) else {
            throw ImageError(.internal, .decode, "libjpeg has no memory for a reader")
        }
        var header = CJPEGHeader()
        let status = unsafe cjpeg_decoder_read_header(handle, &header)
        unsafe self.handle = handle
        self.header = header
        self.request = request
        try check(status)
    }

    deinit { unsafe cjpeg_decoder_destroy(handle) }

    /// The size as stored.
    var size: PixelSize { PixelSize(Int(header.width), Int(header.height)) }

    /// Bytes held while several scans are put together; 0 for a picture in one scan.
    var coefficientByteCount: Int { header.coefficient_byte_count }

    /// The size of the rows when each side is `eighths` of the stored one.
    func size(eighths: Int) -> PixelSize {
        PixelSize((size.width * eighths + 7) / 8, (size.height * eighths + 7) / 8)
    }

    /// Makes ready to read rows of `size(eighths:)`, which means reading all scans when there are several.
    func start(eighths: Int) throws(ImageError) {
        var options = unsafe CJPEGDecodeOptions(
            eighths: Int32(eighths),
            scan_limit: Int32(clamping: request.context.limits.scanCount),
            is_cancelled: { reader in
                guard let reader = unsafe reader else { return false }
                return unsafe Unmanaged<JPEGReader>.fromOpaque(reader).takeUnretainedValue().request.isCancelled
            },
            // libjpeg calls back only while a method of this reader runs, so the reader is alive.
            context: Unmanaged.passUnretained(self).toOpaque())
        try check(unsafe cjpeg_decoder_start(handle, &options))
    }

    /// Reads the next rows, opaque RGBA8, which fill `pixels`.
    func readRows(count: Int, into pixels: inout MutableSpan<UInt8>, width: Int) throws(ImageError) {
        precondition(pixels.count >= count * width * 4, "there is no room for \(count) rows")
        let status = unsafe pixels.withUnsafeMutableBufferPointer { bytes in
            unsafe cjpeg_decoder_read_rows(handle, bytes.baseAddress, UInt32(count))
        }
        try check(status)
    }

    private func check(_ status: CJPEGStatus) throws(ImageError) {
        switch status {
        case .done: return
        case .cancelled: throw .cancelled
        case .incomplete: throw ImageError(.incomplete, .decode, "the JPEG file ends too early")
        case .noMemory: throw ImageError(.internal, .decode, "libjpeg has no memory left")
        case .unsupported: throw ImageError(.unsupported, .decode, "this sort of JPEG cannot be decoded\(words)")
        case .tooManyScans:
            let limit = request.context.limits.scanCount
            throw .overLimit("scanCount", value: limit + 1, bound: limit)
        case .corrupt: throw ImageError(.corrupt, .decode, "the JPEG file is broken\(words)")
        }
    }

    private var words: String {
        let message = unsafe String(cString: cjpeg_decoder_message(handle))
        return message.isEmpty ? "" : " (libjpeg: \(message))"
    }
}
