import DarkroomCore
import DarkroomPlatform

/// Decodes a growing file.
///
/// If rows cannot be decoded as they arrive, there is no preview before the image is complete. Errors are reported by
/// the plain decode once all bytes have arrived, so that both decoders report the same error.
struct PNGPreviewDecoder: PreviewDecoder {
    private let request: DecodeRequest
    private var file = PNGFile(Data())
    private var outline = PNGOutline()
    private var rows: PNGRows?
    /// The number of bytes passed to `rows`.
    private var offset = 0
    private var hasStarted = false
    /// The image, once it is complete.
    private var whole: Bitmap?

    /// Creates a decoder of the file that `request.data` is the start of.
    init(_ request: DecodeRequest) { self.request = request }

    /// The duration of each complete frame.
    var frameDurations: [Duration] { outline.frameDurations }

    mutating func append(_ bytes: Data) throws -> Bitmap? {
        try request.checkCancellation()
        file.append(bytes)
        do {
            try outline.read(file, for: request.headerRequest(of: file.data))
        } catch {
            (rows, whole, hasStarted) = (nil, nil, true)
            throw error
        }
        guard outline.includesDefaultImage else { return try firstFrame() }
        do {
            try start()
            return rows == nil ? nil : try continueReading()
        } catch {
            // libpng cannot continue after an error.
            rows = nil
            guard (error as? ImageError)?.kind == .corrupt else { throw error }
            return nil
        }
    }

    mutating func finish() throws -> Bitmap {
        rows = nil
        guard let whole, !outline.hasSeparateFirstFrame else {
            let outline = try PNGOutline(request.headerRequest(of: file.data))
            PNGCoder().noteDefects(of: outline, for: request)
            return try PNGCoder().decode(file.data, for: request, outline: outline)
        }
        PNGCoder().noteDefects(of: outline, for: request)
        PNGCoder().noteMissingEnd(of: outline, for: request)
        return outline.isAnimated && outline.framesHaveAlpha ? whole.with(alpha: true) : whole
    }

    mutating func partialBitmap() throws -> Bitmap? { try rows?.soFar() }

    /// Returns, once, the first frame of an animation that does not include the default image.
    private mutating func firstFrame() throws -> Bitmap? {
        guard outline.hasSeparateFirstFrame, !hasStarted else { return nil }
        hasStarted = true
        return try? PNGCoder().decode(file.data, for: request, outline: outline)
    }

    /// Whether the compressed pixels declare a window that covers all references.
    private var declaresWindow: Bool {
        guard let first = outline.firstPixels else { return false }
        // Rows take up to 8 bytes per pixel, those of an interlaced image a few more.
        return file.declaresWindow(in: first, for: (outline.size.width * 8 + 8) * outline.size.height * 2)
    }

    /// Starts reading rows when everything before them has arrived.
    private mutating func start() throws {
        guard !hasStarted, let first = outline.firstPixels else { return }
        hasStarted = true
        guard outline.size == request.info.storedSize else { return }
        rows = try? PNGRows(request, isInterlaced: outline.isInterlaced)
        // Chunks that do not affect pixels are skipped, so that no long one is buffered until it is complete.
        try rows?.read(0..<33, of: file)
        for chunk in outline.shared { try rows?.read(chunk.start..<chunk.end, of: file) }
        offset = first.start
    }

    /// Reads the rows that arrived, up to the chunk after the pixels.
    private mutating func continueReading() throws -> Bitmap? {
        let end = min(outline.pixelsEnd, file.count)
        try rows?.read(offset..<end, of: file)
        offset = end
        guard rows?.isComplete == true, outline.hasAllPixels else { return try rows?.preview() }
        // libpng checks for the end of the compressed data only when the file continues.
        try rows?.readEnd()
        let bitmap = try rows.take()?.finish()
        // The plain decode notes whether references exceed the window.
        guard declaresWindow else { return bitmap }
        whole = bitmap
        return whole
    }
}
