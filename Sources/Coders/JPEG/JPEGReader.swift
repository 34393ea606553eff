import CJPEG
import DarkroomCore
import DarkroomPlatform

/// A libjpeg reader of one file, which is complete or still growing.
@safe final class JPEGReader {
    private let handle: OpaquePointer
    private let request: DecodeRequest
    private let bypassByteCount: Int
    private var header = CJPEGHeader()
    private var conversion: (any RowConversion)?
    private var coefficients: ScratchMemory?

    /// Whether a call has failed, after which libjpeg cannot be used.
    private(set) var hasFailed = false

    /// Calls `body` with a reader that has read the header of `data`, the complete file of `request`. From
    /// `bypassByteCount` bytes on, libjpeg may be bypassed.
    static func withReader<Result>(
        of data: Data, for request: DecodeRequest, bypassByteCount: Int, _ body: (JPEGReader) throws -> Result
    ) throws -> Result {
        let reader = try JPEGReader(request, isGrowing: false, bypassByteCount: bypassByteCount)
        return try reader.withBytes(data) {
            _ = try reader.readHeader()
            return try body(reader)
        }
    }

    /// Creates a reader for `request`. If bytes of a growing file are missing, its functions return false or fewer
    /// rows.
    init(_ request: DecodeRequest, isGrowing: Bool, bypassByteCount: Int = .max) throws(ImageError) {
        guard let handle = unsafe cjpeg_decoder_create(isGrowing) else {
            throw ImageError(.internal, .decode, "libjpeg could not allocate a reader")
        }
        unsafe self.handle = handle
        self.request = request
        self.bypassByteCount = bypassByteCount
    }

    deinit { unsafe cjpeg_decoder_destroy(handle) }

    /// Calls `body`, inside which the reader may be used, while libjpeg has access to `data`: the file received so far.
    func withBytes<Result>(_ data: Data, _ body: () throws -> Result) throws -> Result {
        try unsafe data.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            _ = try check(unsafe cjpeg_decoder_lend(handle, start, bytes.count))
            return try body()
        }
    }

    /// The stored size.
    var size: PixelSize { PixelSize(Int(header.width), Int(header.height)) }

    /// The number of bytes held to combine several scans; 0 for a single scan.
    var coefficientByteCount: Int { header.coefficient_byte_count }

    /// Whether this kind of file can be read while it grows.
    var canSuspend: Bool { !header.is_arithmetic }

    /// The number of available bytes that libjpeg has not consumed.
    var unreadByteCount: Int { unsafe cjpeg_decoder_unread_byte_count(handle) }

    /// Whether libjpeg tolerated damage in the file.
    var isDamaged: Bool { unsafe cjpeg_decoder_is_damaged(handle) }

    /// Whether scans of a file with several, all of which has been read, may be missing.
    var isTruncated: Bool { unsafe cjpeg_decoder_is_truncated(handle) }

    /// Whether data in the middle of a scan were missing.
    var lacksBlocks: Bool { unsafe cjpeg_decoder_lacks_blocks(handle) }

    /// libjpeg's first warning about damage that affects pixels; empty if there is none.
    var damage: String { unsafe String(cString: cjpeg_decoder_damage(handle)) }

    /// Whether all scans of a growing file with several scans have been read.
    var isAtEnd: Bool { unsafe cjpeg_decoder_is_at_end(handle) }

    /// Whether the rows read so far were decoded without libjpeg.
    var bypassesLibjpeg: Bool { unsafe cjpeg_decoder_bypasses_libjpeg(handle) }

    /// Returns the size of the rows when decoding at `eighths` of the stored size.
    func size(eighths: Int) -> PixelSize {
        PixelSize((size.width * eighths + 7) / 8, (size.height * eighths + 7) / 8)
    }

    /// Reads the part before the first scan.
    func readHeader() throws -> Bool { try check(unsafe cjpeg_decoder_read_header(handle, &header)) }

    /// Prepares for reading rows of `size(eighths:)`.
    ///
    /// This reads all scans of a file with several, unless the file is growing.
    func start(eighths: Int) throws {
        if request.info.colorModel == .cmyk { conversion = request.makeRowConversion() }
        if coefficients == nil { coefficients = ScratchMemory(byteCount: coefficientByteCount) }
        var options = unsafe CJPEGDecodeOptions(
            eighths: Int32(eighths),
            scan_limit: Int32(clamping: request.context.limits.scanCount),
            keeps_inks: conversion != nil,
            bypass_byte_count: bypassByteCount,
            coefficients: coefficients?.start,
            coefficient_byte_count: coefficients?.byteCount ?? 0,
            is_cancelled: { reader in
                guard let reader = unsafe reader else { return false }
                // Called for every row, where reference counting would take longer than everything else.
                return unsafe Unmanaged<JPEGReader>.fromOpaque(reader)._withUnsafeGuaranteedRef {
                    $0.request.isCancelled
                }
            },
            // libjpeg calls back only while a method of this reader runs, so the reader is alive.
            context: Unmanaged.passUnretained(self).toOpaque())
        _ = try check(unsafe cjpeg_decoder_start(handle, &options))
    }

    /// Reads up to `limit` rows as opaque RGBA8 to the start of `pixels`, and returns their number.
    func readRows(atMost limit: Int, into pixels: inout MutableSpan<UInt8>, width: Int) throws -> Int {
        precondition(pixels.count >= limit * width * 4, "the buffer is too small for \(limit) rows")
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

    /// Reads a growing file with several scans up to the end of a scan.
    func readScan() throws -> Bool { try check(unsafe cjpeg_decoder_read_scan(handle)) }

    /// Starts an output pass over the scans read so far, or the rows of the first one, of a growing file with several.
    func startPass() throws { _ = try check(unsafe cjpeg_decoder_start_pass(handle)) }

    /// Returns whether the call succeeded; false if more bytes are needed.
    private func check(_ status: CJPEGStatus) throws -> Bool {
        if status != .done, status != .suspended { hasFailed = true }
        switch status {
        case .done: return true
        case .suspended: return false
        case .cancelled:
            try request.checkCancellation()
            throw ImageError.cancelled
        case .incomplete: throw ImageError(.incomplete, .decode, "the JPEG file is truncated")
        case .noMemory: throw ImageError(.internal, .decode, "libjpeg ran out of memory")
        case .unsupported: throw ImageError(.unsupported, .decode, "this kind of JPEG file is not supported\(reason)")
        case .overLimit:
            let limit = request.context.limits.scanCount
            throw ImageError.overLimit("scanCount", value: limit + 1, bound: limit)
        case .corrupt: throw ImageError(.corrupt, .decode, "the JPEG file is corrupt\(reason)")
        }
    }

    private var reason: String {
        let message = unsafe String(cString: cjpeg_decoder_message(handle))
        return message.isEmpty ? "" : " (libjpeg: \(message))"
    }
}

extension JPEGCoder {
    /// Whether the underlying library decodes files with 12 bits per channel. They become 8.
    static var decodes12Bits: Bool { cjpeg_decodes_12_bits() }

    /// The underlying library, libjpeg-turbo or a compatible one, and the version that this module was built with.
    public static var libraryVersions: [String: String] {
        [unsafe String(cString: cjpeg_library_name()): unsafe String(cString: cjpeg_library_version())]
    }
}
