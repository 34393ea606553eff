import DarkroomCore

/// Makes a smaller picture of rows as they come.
protocol RowShrinker {
    /// Takes the next row, opaque RGBA8.
    mutating func append(_ row: Span<UInt8>)

    /// A copy of the picture so far; rows that are missing are transparent.
    func preview() throws -> Bitmap

    /// The picture, once all rows have come.
    consuming func finish() -> Bitmap
}

extension RowResampler: RowShrinker {}

/// Leaves out columns and rows.
struct RowSampler: RowShrinker {
    private let canvas: RowCanvas
    private let columns: [Int]
    private let rows: [Int]
    private var rowCount = 0

    /// A sampler of a picture that covers `extent.width` columns and `extent.height` rows.
    init(extent: (width: Double, height: Double), to target: PixelSize, limits: DecodeLimits) throws(ImageError) {
        canvas = try RowCanvas(target, hasAlpha: false, limits: limits)
        columns = Self.middles(of: target.width, extent.width)
        rows = Self.middles(of: target.height, extent.height)
    }

    mutating func append(_ row: Span<UInt8>) {
        while canvas.rowCount < rows.count, rows[canvas.rowCount] == rowCount {
            canvas.append(atMost: 1) { pixels in
                for (x, column) in columns.enumerated() {
                    for channel in 0..<4 { pixels[4 * x + channel] = row[4 * column + channel] }
                }
                return 1
            }
        }
        rowCount += 1
    }

    func preview() throws -> Bitmap { try canvas.preview() }

    consuming func finish() -> Bitmap { canvas.finish() }

    /// The pixels in the middle of `count` equal parts of `extent` pixels.
    private static func middles(of count: Int, _ extent: Double) -> [Int] {
        (0..<count).map { index in Int((Double(index) + 0.5) * extent / Double(count)) }
    }
}
