import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Shows a file while it comes.
///
/// A file in which something is amiss, that ends too early, or that is coded arithmetically, is left to the plain decode
/// when it has ended, which then says what becomes of it.
struct JPEGPreviewDecoder: PreviewDecoder {
    private let request: DecodeRequest
    private let reader: JPEGReader
    private var bytes = Data()
    private var growth: (any JPEGGrowth)?
    private var whole: Bitmap?
    /// From how many bytes on to read; `nil` when it is left to the plain decode.
    private var nextByteCount: Int? = 1

    /// A decoder for one download.
    init(_ request: DecodeRequest) throws {
        self.request = request
        reader = try JPEGReader(request, isGrowing: true)
    }

    mutating func append(_ new: Data) throws -> Bitmap? {
        try request.checkCancellation()
        // What comes behind the picture is not looked at.
        guard whole == nil else { return nil }
        bytes += new
        guard let nextByteCount, bytes.count >= nextByteCount else { return nil }
        return try advance()
    }

    mutating func finish() throws -> Bitmap {
        try request.checkCancellation()
        if whole == nil, nextByteCount != nil { _ = try advance() }
        if let whole { return whole }
        return try JPEGReader.withReader(of: bytes, for: request) { reader in try reader.bitmap(for: request) }
    }

    private mutating func advance() throws -> Bitmap? {
        do {
            return try reader.withBytes(bytes) { try read() }
        } catch {
            // libjpeg's reader is of no use after an error.
            nextByteCount = nil
            guard let kind = (error as? ImageError)?.kind, [.corrupt, .unsupported].contains(kind) else { throw error }
            return nil
        }
    }

    /// Reads on, and answers what is worth to be shown.
    private mutating func read() throws -> Bitmap? {
        // What is looked at in vain must be little beside what is new, or many small parts would take for ever.
        defer { if nextByteCount != nil { nextByteCount = bytes.count + max(1, reader.unreadByteCount / 8) } }
        if growth == nil, try reader.readHeader() { growth = try makeGrowth() }
        guard let growth else { return nil }
        let picture = try growth.advance(readByteCount: bytes.count - reader.unreadByteCount)
        guard !reader.isDamaged else {
            nextByteCount = nil
            return picture?.bitmap
        }
        if let picture, picture.isWhole {
            whole = picture.bitmap
            bytes = Data()
        }
        return picture?.bitmap
    }

    private mutating func makeGrowth() throws -> (any JPEGGrowth)? {
        guard reader.canGrow else {
            nextByteCount = nil
            return nil
        }
        return reader.coefficientByteCount > 0
            ? try JPEGGrowingScans(reader, request) : try JPEGGrowingRows(reader, request)
    }
}
