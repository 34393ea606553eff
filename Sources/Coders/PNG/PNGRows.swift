import DarkroomCore

/// The rows of a picture that comes in pieces, as many as have come.
struct PNGRows {
    /// How many bytes libpng gets at once.
    private static let portionByteCount = 1 << 16

    private let request: DecodeRequest
    private let size: PixelSize
    private let feeder: PNGFeeder
    /// All pixels; `nil` when rows are resized as they come.
    private let picture: PNGPicture?
    private var resampler: RowResampler?
    private var progress: PNGProgress

    /// Throws when they would take more memory than the limits allow.
    init(_ request: DecodeRequest, isInterlaced: Bool) throws {
        let (size, target) = (request.info.storedSize, request.target)
        self.request = request
        self.size = size
        let isResizing = size.shrinks(to: target) && !isInterlaced
        // A preview is a copy, as is the picture at the end.
        let held = isResizing ? [target, target, PixelSize(size.width, 1)] : [size, size]
        try size.check(holding: held, request.context.limits)
        feeder = try PNGFeeder(size, checksChecksums: true)
        picture = isResizing ? nil : try PNGPicture(size)
        progress = PNGProgress(height: size.height, isInterlaced: isInterlaced, shownSize: isResizing ? target : size)
    }

    /// Whether all rows have come.
    var isComplete: Bool { feeder.isComplete }

    /// Reads the bytes of `file` at `range`, which follow on those before.
    mutating func read(_ file: PNGFile, _ range: Range<Int>) throws {
        for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.portionByteCount) {
            // Bytes that give no row ask nobody whether to go on.
            try request.checkCancellation()
            try file.withBytes(start..<min(start + Self.portionByteCount, range.upperBound)) { try read($0) }
        }
    }

    /// Reads the end of a file, behind the pixels. Throws `corrupt` when the pixels were not as they should be.
    mutating func readEnd() throws {
        let name = PNGChunkName.end.bytes
        let chunk = [0, 0, 0, 0] + name + name.span.checksum().bigEndianBytes
        try read(chunk.span)
        guard !feeder.hasWarned else { throw ImageError(.corrupt, .decode, "the pixels of the PNG file are broken") }
    }

    private mutating func read(_ bytes: Span<UInt8>) throws {
        try unsafe feeder.feed(bytes, picture: picture?.pixels.baseAddress) { y, pass, row in
            try request.checkCancellation()
            progress.reach(row: y, pass: pass)
            guard picture == nil else { return }
            if resampler == nil {
                resampler = try RowResampler(
                    from: size, to: request.target, hasAlpha: feeder.hasAlpha, limits: request.context.limits)
            }
            resampler?.append(row)
        }
    }

    /// What there is to see, when it is more than the last time by enough.
    mutating func preview() throws -> Bitmap? {
        guard progress.takePreview() else { return nil }
        return try bitmap(hasAlpha: true)
    }

    /// The picture, which is complete.
    consuming func finish() throws -> Bitmap {
        if let resampler { return resampler.finish() }
        return try bitmap(hasAlpha: feeder.hasAlpha)
    }

    private func bitmap(hasAlpha: Bool) throws -> Bitmap {
        let limits = request.context.limits
        if let picture { return try picture.bitmap(hasAlpha: hasAlpha, limits) }
        return try resampler?.preview() ?? Bitmap(request.target, hasAlpha: hasAlpha, limits: limits) { _ in }
    }
}
