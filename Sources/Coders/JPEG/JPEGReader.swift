import CJPEG
import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// libjpeg's reader of one file, which is all there or still growing.
@safe final class JPEGReader {
    private let handle: OpaquePointer
    private let request: DecodeRequest
    private var header = CJPEGHeader()
    private var conversion: (any RowConversion)?

    /// Lends `body` a reader that has read the header of `data`, the whole file that `request` asks about.
    static func withReader<Result>(
        of data: Data, for request: DecodeRequest, _ body: (JPEGReader) throws -> Result
    ) throws -> Result {
        let reader = try JPEGReader(request, isGrowing: false)
        return try reader.withBytes(data) {
            _ = try reader.readHeader()
            return try body(reader)
        }
    }

    /// A reader for `request`; a growing file's answers false, or fewer rows, where bytes are missing.
    init(_ request: DecodeRequest, isGrowing: Bool) throws(ImageError) {
        guard let handle = unsafe cjpeg_decoder_create(isGrowing) else {
            throw ImageError(.internal, .decode, "libjpeg has no memory for a reader")
        }
        unsafe self.handle = handle
        self.request = request
    }

    deinit { unsafe cjpeg_decoder_destroy(handle) }

    /// Runs `body`, which alone may read, while libjpeg sees `data`: the file, or what of it has come.
    func withBytes<Result>(_ data: Data, _ body: () throws -> Result) throws -> Result {
        try unsafe data.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            _ = try check(unsafe cjpeg_decoder_lend(handle, start, bytes.count))
            return try body()
        }
    }

    /// The size as stored.
    var size: PixelSize { PixelSize(Int(header.width), Int(header.height)) }

    /// Bytes held while several scans are put together; 0 for a picture in one scan.
    var coefficientByteCount: Int { header.coefficient_byte_count }

    /// Whether this sort of file can be read while it grows.
    var canGrow: Bool { !header.is_arithmetic }

    /// How many of the bytes that have come will be looked at again.
    var unreadByteCount: Int { unsafe cjpeg_decoder_unread_byte_count(handle) }

    /// Whether something was amiss that libjpeg passed over.
    var isDamaged: Bool { unsafe cjpeg_decoder_is_damaged(handle) }

    /// Whether all scans of a growing file of several were read.
    var isAtEnd: Bool { unsafe cjpeg_decoder_is_at_end(handle) }

    /// The size of the rows when each side is `eighths` of the stored one.
    func size(eighths: Int) -> PixelSize {
        PixelSize((size.width * eighths + 7) / 8, (size.height * eighths + 7) / 8)
    }

    /// Reads what stands before the first scan.
    func readHeader() throws -> Bool { try check(unsafe cjpeg_decoder_read_header(handle, &header)) }

    /// Makes ready to read rows of `size(eighths:)`.
    ///
    /// That means reading all scans when there are several, unless the file is growing.
    func start(eighths: Int) throws {
        if request.info.colorModel == .cmyk { conversion = request.makeRowConversion() }
        var options = unsafe CJPEGDecodeOptions(
            eighths: Int32(eighths),
            scan_limit: Int32(clamping: request.context.limits.scanCount),
            keeps_inks: conversion != nil,
            is_cancelled: { reader in
                guard let reader = unsafe reader else { return false }
                // Asked for every row, where counting references would take longer than all the rest.
                return unsafe Unmanaged<JPEGReader>.fromOpaque(reader)._withUnsafeGuaranteedRef {
                    $0.request.isCancelled
                }
            },
            // libjpeg calls back only while a method of this reader runs, so the reader is alive.
            context: Unmanaged.passUnretained(self).toOpaque())
        _ = try check(unsafe cjpeg_decoder_start(handle, &options))
    }

    /// Reads up to `limit` rows, opaque RGBA8, to the start of `pixels`, and answers how many those are.
    func readRows(atMost limit: Int, into pixels: inout MutableSpan<UInt8>, width: Int) throws -> Int {
        precondition(pixels.count >= limit * width * 4, "there is no room for \(limit) rows")
        let first = unsafe cjpeg_decoder_row_count(handle)
        let status = unsafe pixels.withUnsafeMutableBufferPointer { bytes in
            unsafe cjpeg_decoder_read_rows(handle, bytes.baseAddress, UInt32(limit))
        }
        _ = try check(status)
        let count = unsafe Int(cjpeg_decoder_row_count(handle) - first)
        if conversion != nil {
            var read = pixels._mutatingExtracting(0..<(count * width * 4))
            conversion?.convert(&read)
        }
        return count
    }

    /// Reads a growing file of several scans to the end of one.
    func readScan() throws -> Bool { try check(unsafe cjpeg_decoder_read_scan(handle)) }

    /// Makes ready to read the rows of all scans so far, at least one, in a growing file of several.
    func startPass() throws { _ = try check(unsafe cjpeg_decoder_start_pass(handle)) }

    /// Whether the call went through; false when more bytes are needed.
    private func check(_ status: CJPEGStatus) throws -> Bool {
        switch status {
        case .done: return true
        case .suspended: return false
        case .cancelled:
            try request.checkCancellation()
            throw ImageError.cancelled
        case .incomplete: throw ImageError(.incomplete, .decode, "the JPEG file ends too early")
        case .noMemory: throw ImageError(.internal, .decode, "libjpeg has no memory left")
        case .unsupported: throw ImageError(.unsupported, .decode, "this sort of JPEG cannot be decoded\(words)")
        case .overLimit:
            let limit = request.context.limits.scanCount
            throw ImageError.overLimit("scanCount", value: limit + 1, bound: limit)
        case .corrupt: throw ImageError(.corrupt, .decode, "the JPEG file is broken\(words)")
        }
    }

    private var words: String {
        let message = unsafe String(cString: cjpeg_decoder_message(handle))
        return message.isEmpty ? "" : " (libjpeg: \(message))"
    }
}
