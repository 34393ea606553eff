import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Decodes a file progressively while it arrives.
///
/// Damaged, truncated and arithmetically coded files are left to the plain decode once all bytes have arrived, which
/// then decides about the result.
struct JPEGPreviewDecoder: PreviewDecoder {
    private let request: DecodeRequest
    private let coder: JPEGCoder
    private let reader: JPEGReader
    private var bytes = Data()
    private var progressiveDecode: (any JPEGProgressiveDecode)?
    private var whole: Bitmap?
    /// The number of bytes from which to continue; `nil` if the file is left to the plain decode.
    private var nextByteCount: Int? = 1

    /// Creates a decoder for one download. `coder` performs the plain decode.
    init(_ request: DecodeRequest, coder: JPEGCoder) throws {
        self.request = request
        self.coder = coder
        reader = try JPEGReader(request, isGrowing: true)
    }

    mutating func append(_ new: Data) throws -> Bitmap? {
        try request.checkCancellation()
        // Bytes after the end of the image are ignored.
        guard whole == nil else { return nil }
        bytes += new
        guard let nextByteCount, bytes.count >= nextByteCount else { return nil }
        return try advance()
    }

    mutating func finish() throws -> Bitmap {
        try request.checkCancellation()
        if whole == nil, nextByteCount != nil { _ = try advance() }
        if let whole { return whole }
        return try coder.bitmap(of: bytes, for: request)
    }

    mutating func partialBitmap() throws -> Bitmap? {
        // libjpeg's reader cannot be used after an error.
        guard let progressiveDecode, nextByteCount != nil else { return nil }
        return try reader.withBytes(bytes) { try progressiveDecode.partialBitmap() }
    }

    private mutating func advance() throws -> Bitmap? {
        do {
            return try reader.withBytes(bytes) { try read() }
        } catch {
            // libjpeg's reader cannot be used after an error.
            nextByteCount = nil
            guard let kind = (error as? ImageError)?.kind, [.corrupt, .unsupported].contains(kind) else { throw error }
            return nil
        }
    }

    /// Continues decoding, and returns a preview if one is worth showing.
    private mutating func read() throws -> Bitmap? {
        // Bytes that are re-read must be few compared with new ones, or many small parts would take quadratic time.
        defer { if nextByteCount != nil { nextByteCount = bytes.count + max(1, reader.unreadByteCount / 8) } }
        if progressiveDecode == nil, try reader.readHeader() { progressiveDecode = try makeProgressiveDecode() }
        guard let progressiveDecode else { return nil }
        let preview = try progressiveDecode.advance(readByteCount: bytes.count - reader.unreadByteCount)
        guard !reader.isDamaged else {
            nextByteCount = nil
            return preview?.bitmap
        }
        if let preview, preview.isComplete {
            whole = preview.bitmap
            bytes = Data()
        }
        return preview?.bitmap
    }

    private mutating func makeProgressiveDecode() throws -> (any JPEGProgressiveDecode)? {
        guard reader.canSuspend else {
            nextByteCount = nil
            return nil
        }
        return reader.coefficientByteCount > 0
            ? try JPEGMultiScanDecode(reader, for: request) : try JPEGSingleScanDecode(reader, for: request)
    }
}
