import DarkroomCore

/// The progressive decode of a growing file after its header.
protocol JPEGProgressiveDecode {
    /// Continues decoding after `readByteCount` bytes of the file, and returns a bitmap if a new one is worth its cost.
    func advance(readByteCount: Int) throws -> (bitmap: Bitmap, isComplete: Bool)?
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
}

/// The progressive decode of an image with several scans, which is soon complete and then becomes sharper.
final class JPEGMultiScanDecode: JPEGProgressiveDecode {
    /// The number of pixels that may be previewed per byte read, not counting the first preview.
    private static let pixelsPerByte = 2

    private let reader: JPEGReader
    private let request: DecodeRequest
    private let pixelCount: Int
    private var shownByteCount: Int?
    private var hasNewScan = false

    init(_ reader: JPEGReader, for request: DecodeRequest) throws {
        self.reader = reader
        self.request = request
        let pass = try JPEGPass(reader, for: request)
        // At an eighth of the size, a pass costs more than its pixels, and most bytes are skipped.
        pixelCount = pass.eighths == 1 ? reader.size.width * reader.size.height : pass.pixelCount
        try reader.start(eighths: pass.eighths)
    }

    func advance(readByteCount: Int) throws -> (bitmap: Bitmap, isComplete: Bool)? {
        while !reader.isAtEnd, try reader.readScan() { hasNewScan = true }
        guard reader.isAtEnd || isWorthShowing(readByteCount: readByteCount) else { return nil }
        hasNewScan = false
        shownByteCount = readByteCount
        return (try currentImage(), reader.isAtEnd)
    }

    private func isWorthShowing(readByteCount: Int) -> Bool {
        guard hasNewScan, let shownByteCount else { return hasNewScan }
        return (readByteCount - shownByteCount) * Self.pixelsPerByte >= pixelCount
    }

    private func currentImage() throws -> Bitmap {
        let pass = try JPEGPass(reader, for: request, isDraft: !reader.isAtEnd)
        try reader.startPass()
        try pass.read()
        guard pass.isComplete else {
            throw ImageError(.corrupt, .decode, "an output pass over the JPEG file ended early")
        }
        return pass.finish()
    }
}
