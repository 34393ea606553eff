import DarkroomCore

/// Scales an image down while its rows arrive.
protocol RowDownscaler {
    /// Appends the next row of opaque RGBA8 pixels.
    mutating func append(_ row: Span<UInt8>)

    /// Returns a copy of the image so far. Missing rows are transparent.
    func preview() throws -> Bitmap

    /// Returns the image after all rows have been appended.
    consuming func finish() -> Bitmap
}

extension RowResampler: RowDownscaler {}

/// Scales down by skipping columns and rows.
struct RowSkipper: RowDownscaler {
    private let canvas: RowCanvas
    private let columns: [Int]
    private let rows: [Int]
    private var rowCount = 0

    /// Creates a downscaler of an image that covers `extent.width` columns and `extent.height` rows.
    init(extent: (width: Double, height: Double), to target: PixelSize, limits: DecodeLimits) throws(ImageError) {
        canvas = try RowCanvas(target, hasAlpha: false, limits: limits)
        columns = Self.centers(of: target.width, in: extent.width)
        rows = Self.centers(of: target.height, in: extent.height)
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

    /// Returns the middle pixels of `count` equal parts of `extent` pixels.
    private static func centers(of count: Int, in extent: Double) -> [Int] {
        (0..<count).map { index in Int((Double(index) + 0.5) * extent / Double(count)) }
    }
}
