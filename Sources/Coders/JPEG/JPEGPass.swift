import DarkroomCore

/// One pass over the rows of an image, which are decoded directly into a bitmap or resized on the fly into a smaller
/// one.
final class JPEGPass {
    private static let rowsPerCall = 16

    /// The fraction of its size at which the image is decoded, in eighths.
    let eighths: Int

    /// The number of rows read.
    private(set) var rowCount = 0

    private let reader: JPEGReader
    private let request: DecodeRequest
    /// The size of the decoded rows, and that of the bitmap.
    private let size: PixelSize
    private let target: PixelSize
    private let canvas: RowCanvas?
    private var downscaler: (any RowDownscaler)?
    private var rows: [UInt8]
    private var steps: PreviewSteps

    /// Creates a pass over the image of `reader`, which has read the header. Throws if `request` does not allow it.
    ///
    /// To make a smaller image, a rough pass skips columns and rows, which costs far less than resampling.
    init(_ reader: JPEGReader, for request: DecodeRequest, isDraft: Bool = false) throws {
        let (stored, limits) = (reader.size, request.context.limits)
        let isSmaller =
            request.target != stored && request.target.width <= stored.width && request.target.height <= stored.height
        self.reader = reader
        self.request = request
        target = isSmaller ? request.target : stored
        try reader.check(holding: target, for: request)
        eighths = isSmaller ? reader.eighths(for: request) : 8
        size = reader.size(eighths: eighths)
        canvas = isSmaller ? nil : try RowCanvas(stored, hasAlpha: false, limits: limits)
        rows = []
        steps = PreviewSteps(rowCount: size.height, shownSize: target, firstRowCount: size.height / 32 + 1)
        guard isSmaller else { return }
        downscaler = try Self.downscaler(of: reader, for: request, eighths: eighths, isDraft: isDraft)
        rows = Array(repeating: 0, count: min(size.height, Self.rowsPerCall) * size.width * 4)
    }

    /// Whether all rows have been read.
    var isComplete: Bool { rowCount == size.height }

    /// The number of pixels to decode.
    var pixelCount: Int { size.width * size.height }

    /// Reads the available rows.
    func read() throws {
        while !isComplete {
            try request.checkCancellation()
            let count = try canvas.map(readRows) ?? readDownscaledRows()
            rowCount += count
            if count == 0 { return }
        }
    }

    /// Returns the image after all rows have been read, and ends the pass.
    func finish() -> Bitmap {
        if let canvas { return canvas.finish() }
        guard let downscaler else { preconditionFailure("a pass has a canvas or a downscaler") }
        return downscaler.finish()
    }

    /// Returns a copy of the image so far, if it is worth its cost since the last copy.
    func preview() throws -> Bitmap? { steps.take(rowCount: rowCount) ? try rowsSoFar() : nil }

    /// Returns a copy of the image so far; `nil` if there are no rows, or no memory for both.
    func rowsSoFar() throws -> Bitmap? {
        guard rowCount > 0 else { return nil }
        guard let canvas else { return try downscaler?.preview() }
        let byteCount = (target.byteCount ?? .max).multipliedReportingOverflow(by: 2)
        guard !byteCount.overflow, byteCount.partialValue <= request.context.limits.decodedByteCount else { return nil }
        return try canvas.preview()
    }

    private static func downscaler(
        of reader: JPEGReader, for request: DecodeRequest, eighths: Int, isDraft: Bool
    ) throws -> any RowDownscaler {
        let (size, target, limits) = (reader.size(eighths: eighths), request.target, request.context.limits)
        // Sides are rounded up, so the image covers the last column and row only partially.
        let extent = (width: Double(reader.size.width * eighths) / 8, height: Double(reader.size.height * eighths) / 8)
        return isDraft
            ? try RowSkipper(extent: extent, to: target, limits: limits)
            : try RowResampler(
                from: size, extent: extent, to: target, hasAlpha: false,
                inLinearLight: request.resizesInLinearLight, limits: limits)
    }

    private func readRows(_ canvas: RowCanvas) throws -> Int {
        try canvas.append(atMost: Self.rowsPerCall) { pixels in
            try reader.readRows(atMost: pixels.count / (size.width * 4), into: &pixels, width: size.width)
        }
        return canvas.rowCount - rowCount
    }

    private func readDownscaledRows() throws -> Int {
        let rowByteCount = size.width * 4
        // A span of a stored property cannot be used across these calls, so the array is swapped out.
        var rows: [UInt8] = []
        swap(&rows, &self.rows)
        defer { swap(&rows, &self.rows) }
        var pixels = rows.mutableSpan
        let count = try reader.readRows(
            atMost: min(Self.rowsPerCall, size.height - rowCount), into: &pixels, width: size.width)
        for row in 0..<count {
            downscaler?.append(rows.span.extracting((row * rowByteCount)..<((row + 1) * rowByteCount)))
        }
        return count
    }
}
