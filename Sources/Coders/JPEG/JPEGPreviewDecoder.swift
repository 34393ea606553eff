import DarkroomCore
import DarkroomPlatform

/// Decodes a file progressively while it arrives.
///
/// Damaged, truncated and arithmetically coded files are left to the plain decode once all bytes have arrived, which
/// then decides about the result.
struct JPEGPreviewDecoder: PreviewDecoder {
    private let request: DecodeRequest
    private let coder: JPEGCoder
    private let reader: JPEGReader
    /// Whether a damaged file is decoded further. The result may depend on how it was split.
    private let toleratesDamage: Bool
    private let lateHeight: JPEGLateHeight?
    private var bytes = Data()
    private var progressiveDecode: (any JPEGProgressiveDecode)?
    private var whole: Bitmap?
    /// The number of bytes from which to continue; `nil` if the file is left to the plain decode.
    private var nextByteCount: Int? = 1
    /// Whether this kind of file cannot be decoded while it grows.
    private var hasPlainDecodeOnly = false
    /// Whether an end marker has come too early.
    private var hasEnded = false

    /// Creates a decoder for one download. `coder` performs the plain decode.
    init(_ request: DecodeRequest, coder: JPEGCoder, toleratesDamage: Bool = false) throws {
        self.request = request
        self.coder = coder
        self.toleratesDamage = toleratesDamage
        lateHeight = request.lateHeight
        reader = try JPEGReader(request, isGrowing: true)
    }

    mutating func append(_ new: Data) throws -> Bitmap? {
        try request.checkCancellation()
        // Bytes after the end of the image are ignored.
        guard whole == nil else { return nil }
        bytes += new
        lateHeight?.insert(into: &bytes)
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
        try readLastBytes()
        if let whole { return whole }
        guard let progressiveDecode else { return hasPlainDecodeOnly ? try partWithoutSuspending() : nil }
        if nextByteCount == nil, !toleratesDamage, !hasEnded || hasSeveralScans { return try damagedPart() }
        guard !reader.hasFailed else { return try progressiveDecode.partialBitmap() }
        return try reader.withBytes(bytes) { try progressiveDecode.partialBitmap() }
    }

    /// Decodes the bytes that have not been worth it yet.
    private mutating func readLastBytes() throws {
        guard whole == nil, nextByteCount != nil else { return }
        // libjpeg decodes the last blocks only when it sees the end of their data.
        if progressiveDecode != nil, !hasSeveralScans { bytes += [0xFF, 0xD9] }
        _ = try advance()
    }

    private var hasSeveralScans: Bool { reader.coefficientByteCount > 0 }

    /// Returns the part of a file that is damaged, or that an end marker has ended too early.
    private func damagedPart() throws -> Bitmap? {
        var decoder = try JPEGPreviewDecoder(request, coder: coder, toleratesDamage: true)
        // libjpeg cannot show the first of several scans after it has read an end marker in it.
        let count = hasSeveralScans ? try request.headerRequest(of: bytes).endOfFirstScan() : nil
        _ = try decoder.append(bytes.prefix(count ?? bytes.count))
        return try decoder.partialBitmap()
    }

    /// Returns the rows of a truncated file that cannot be decoded while it grows.
    private func partWithoutSuspending() throws -> Bitmap? {
        try JPEGReader.withReader(of: bytes, for: request, bypassByteCount: .max) { reader in
            let pass = try JPEGPass(reader, for: request)
            do {
                try reader.start(eighths: pass.eighths)
                try pass.read()
            } catch let error as ImageError where error.kind == .incomplete {}
            return try pass.rowsSoFar()
        }
    }

    private mutating func advance() throws -> Bitmap? {
        do {
            return try reader.withBytes(bytes) { try read() }
        } catch {
            // libjpeg's reader cannot be used after an error.
            nextByteCount = nil
            hasEnded = (error as? ImageError)?.kind == .incomplete
            guard let kind = (error as? ImageError)?.kind, [.corrupt, .unsupported, .incomplete].contains(kind) else {
                throw error
            }
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
        guard toleratesDamage || !reader.isDamaged && !(reader.isAtEnd && reader.isTruncated) else {
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
            hasPlainDecodeOnly = true
            return nil
        }
        return reader.coefficientByteCount > 0
            ? try JPEGMultiScanDecode(reader, for: request) : try JPEGSingleScanDecode(reader, for: request)
    }
}
