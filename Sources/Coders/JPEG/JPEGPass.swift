import DarkroomCore

/// One way through the rows of a picture, which go straight into a bitmap, or into a smaller one as they come.
final class JPEGPass {
    private static let rowsAtOnce = 16

    /// The fraction of its size at which the picture is decoded, in eighths.
    let eighths: Int

    /// How many rows were read.
    private(set) var rowCount = 0

    private let reader: JPEGReader
    private let request: DecodeRequest
    /// The size of the rows, and of the bitmap.
    private let size: PixelSize
    private let target: PixelSize
    private let canvas: RowCanvas?
    private var shrinker: (any RowShrinker)?
    private var rows: [UInt8]
    /// The rows that the last preview shows.
    private var shownRowCount = 0

    /// A pass over the picture of `reader`, which has read the header. Throws when `request` does not allow it.
    ///
    /// A rough one leaves columns and rows out where a smaller picture is wanted, which costs far less than resampling.
    init(_ reader: JPEGReader, _ request: DecodeRequest, isRough: Bool = false) throws {
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
        guard isSmaller else { return }
        shrinker = try Self.shrinker(from: size, reader, eighths: eighths, to: target, limits, isRough: isRough)
        rows = Array(repeating: 0, count: min(size.height, Self.rowsAtOnce) * size.width * 4)
    }

    /// Whether all rows were read.
    var isWhole: Bool { rowCount == size.height }

    /// How many pixels are decoded.
    var pixelCount: Int { size.width * size.height }

    /// Reads the rows that are there.
    func read() throws {
        while !isWhole {
            try request.checkCancellation()
            let count = try canvas.map(readRows) ?? readShrunkRows()
            rowCount += count
            if count == 0 { return }
        }
    }

    /// The picture, once all rows were read; the pass is over.
    func finish() -> Bitmap {
        if let canvas { return canvas.finish() }
        guard let shrinker else { preconditionFailure("a pass has a canvas or a shrinker") }
        return shrinker.finish()
    }

    /// A copy of the picture so far, if it is worth its cost since the last one.
    ///
    /// Where a copy is as large as what is decoded, it shows four times the rows of the last one: all copies together
    /// then cost less than decoding even a smooth picture does.
    func preview() throws -> Bitmap? {
        let newRowCount = rowCount - shownRowCount
        let ratio = Double(target.width * target.height) / Double(size.width * size.height)
        guard newRowCount > size.height / 32, Double(newRowCount) >= ratio * Double(rowCount) * 3 / 4 else {
            return nil
        }
        shownRowCount = rowCount
        guard let canvas else { return try shrinker?.preview() }
        // There must be room for both.
        let byteCount = (target.byteCount ?? .max).multipliedReportingOverflow(by: 2)
        guard !byteCount.overflow, byteCount.partialValue <= request.context.limits.decodedByteCount else { return nil }
        return try canvas.preview()
    }

    private static func shrinker(
        from size: PixelSize, _ reader: JPEGReader, eighths: Int, to target: PixelSize, _ limits: DecodeLimits,
        isRough: Bool
    ) throws -> any RowShrinker {
        // Sides are rounded up, so the picture covers only part of the last column and row.
        let extent = (width: Double(reader.size.width * eighths) / 8, height: Double(reader.size.height * eighths) / 8)
        return isRough
            ? try RowSampler(extent: extent, to: target, limits: limits)
            : try RowResampler(from: size, extent: extent, to: target, hasAlpha: false, limits: limits)
    }

    private func readRows(_ canvas: RowCanvas) throws -> Int {
        try canvas.append(atMost: Self.rowsAtOnce) { pixels in
            try reader.readRows(atMost: pixels.count / (size.width * 4), into: &pixels, width: size.width)
        }
        return canvas.rowCount - rowCount
    }

    private func readShrunkRows() throws -> Int {
        let rowByteCount = size.width * 4
        // Spans of stored properties cannot be lent.
        var rows: [UInt8] = []
        swap(&rows, &self.rows)
        defer { swap(&rows, &self.rows) }
        var pixels = rows.mutableSpan
        let count = try reader.readRows(
            atMost: min(Self.rowsAtOnce, size.height - rowCount), into: &pixels, width: size.width)
        for row in 0..<count {
            shrinker?.append(rows.span.extracting((row * rowByteCount)..<((row + 1) * rowByteCount)))
        }
        return count
    }
}
