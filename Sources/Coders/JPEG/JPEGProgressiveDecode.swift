import DarkroomCore

/// The progressive decode of a growing file after its header.
protocol JPEGProgressiveDecode {
    /// Continues decoding after `readByteCount` bytes of the file, and returns a bitmap if a new one is worth its cost.
    func advance(readByteCount: Int) throws -> (bitmap: Bitmap, isComplete: Bool)?

    /// Returns the part of a truncated image that can be decoded; `nil` if there is none. It may be called after an error.
    func partialBitmap() throws -> Bitmap?
}

/// The progressive decode of an image with a single scan, which grows from top to bottom.
final class JPEGSingleScanDecode: JPEGProgressiveDecode {
    private let pass: JPEGPass

    init(_ reader: JPEGReader, for request: DecodeRequest) throws {
        pass = try JPEGPass(reader, for: request)
        try reader.start(eighths: pass.eighths)
    }

    func advance(readByteCount: Int) throws -> (bitmap: Bitmap, isComplete: Bool)? {
        try pass.read()
        return pass.isComplete ? (pass.finish(), true) : try pass.preview().map { ($0, false) }
    }

    func partialBitmap() throws -> Bitmap? { try pass.rowsSoFar() }
}

/// The progressive decode of an image with several scans, which is soon complete and then becomes sharper.
final class JPEGMultiScanDecode: JPEGProgressiveDecode {
    private let reader: JPEGReader
    private let request: DecodeRequest
    private var pacing: JPEGScanPacing
    private var hasNewScan = false

    init(_ reader: JPEGReader, for request: DecodeRequest) throws {
        self.reader = reader
        self.request = request
        let pass = try JPEGPass(reader, for: request)
        // At an eighth of the size, a pass costs more than its pixels, and most bytes are skipped.
        let isSmallest = pass.eighths == 1
        pacing = JPEGScanPacing(pixelCount: isSmallest ? reader.size.width * reader.size.height : pass.pixelCount)
        try reader.start(eighths: pass.eighths)
    }

    func advance(readByteCount: Int) throws -> (bitmap: Bitmap, isComplete: Bool)? {
        while !reader.isAtEnd, try reader.readScan() { hasNewScan = true }
        guard reader.isAtEnd || hasNewScan && pacing.take(byteCount: readByteCount) else { return nil }
        hasNewScan = false
        let pass = try outputPass()
        guard pass.isComplete else {
            throw ImageError(.corrupt, .decode, "an output pass over the JPEG file ended early")
        }
        return (pass.finish(), reader.isAtEnd)
    }

    /// Returns the rows of the first scan. If that is complete, the plain decode has shown it.
    func partialBitmap() throws -> Bitmap? { reader.hasFailed ? nil : try outputPass().rowsSoFar() }

    private func outputPass() throws -> JPEGPass {
        let pass = try JPEGPass(reader, for: request, isDraft: !reader.isAtEnd)
        try reader.startPass()
        try pass.read()
        return pass
    }
}
