import DarkroomCore

/// The rows received so far of an image that arrives in pieces.
struct PNGRows {
    /// The maximum number of bytes passed to libpng at once.
    private static let portionByteCount = 1 << 16

    private let request: DecodeRequest
    private let size: PixelSize
    private let feeder: PNGFeeder
    /// All pixels; `nil` if rows are resized as they arrive.
    private let buffer: PNGPixelBuffer?
    private var resampler: RowResampler?
    private var progress: PNGProgress

    /// Creates the rows. Throws if they exceed the memory limits.
    init(_ request: DecodeRequest, isInterlaced: Bool) throws {
        let (size, target) = (request.info.storedSize, request.target)
        self.request = request
        self.size = size
        let isResizing = size.canDownscale(to: target) && !isInterlaced
        // A preview is a copy, as is the final image.
        let held = isResizing ? [target, target, PixelSize(size.width, 1)] : [size, size]
        try size.check(holding: held, limits: request.context.limits)
        feeder = try PNGFeeder(size, verifiesChecksums: true, conversion: PNGDeepConversion(request))
        buffer = isResizing ? nil : try PNGPixelBuffer(size)
        progress = PNGProgress(height: size.height, isInterlaced: isInterlaced, shownSize: isResizing ? target : size)
    }

    /// Whether all rows have arrived.
    var isComplete: Bool { feeder.isComplete }

    /// Reads the bytes of `file` in `range`, which must follow those read before.
    mutating func read(_ range: Range<Int>, of file: PNGFile) throws {
        for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.portionByteCount) {
            // Bytes that complete no row would not check for cancellation otherwise.
            try request.checkCancellation()
            try file.withBytes(start..<min(start + Self.portionByteCount, range.upperBound)) { try read($0) }
        }
    }

    /// Reads the end of a file after the pixels. Throws `corrupt` if libpng issued a warning about the pixels.
    mutating func readEnd() throws {
        let name = PNGChunkName.end.bytes
        let chunk = [0, 0, 0, 0] + name + name.span.checksum().bigEndianBytes
        try read(chunk.span)
        guard !feeder.hasWarned else {
            throw ImageError(.corrupt, .decode, "the pixel data of the PNG file is corrupt")
        }
    }

    private mutating func read(_ bytes: Span<UInt8>) throws {
        try unsafe feeder.feed(bytes, into: buffer?.pixels.baseAddress) { y, pass, row in
            try request.checkCancellation()
            progress.reach(row: y, pass: pass)
            guard buffer == nil else { return }
            if resampler == nil {
                resampler = try RowResampler(
                    from: size, to: request.target, hasAlpha: feeder.hasAlpha,
                    inLinearLight: request.resizesInLinearLight, limits: request.context.limits)
            }
            resampler?.append(row)
        }
    }

    /// Returns a preview if there is enough progress since the last one.
    mutating func preview() throws -> Bitmap? {
        guard progress.takePreview() else { return nil }
        return try bitmap(hasAlpha: true)
    }

    /// Returns the rows so far; `nil` if there are none.
    func soFar() throws -> Bitmap? { progress.hasRows ? try bitmap(hasAlpha: true) : nil }

    /// Returns the image, which must be complete.
    consuming func finish() throws -> Bitmap {
        if let resampler { return resampler.finish() }
        return try bitmap(hasAlpha: feeder.hasAlpha)
    }

    private func bitmap(hasAlpha: Bool) throws -> Bitmap {
        let limits = request.context.limits
        if let buffer { return try buffer.bitmap(hasAlpha: hasAlpha, limits: limits) }
        return try resampler?.preview() ?? Bitmap(request.target, hasAlpha: hasAlpha, limits: limits) { _ in }
    }
}
