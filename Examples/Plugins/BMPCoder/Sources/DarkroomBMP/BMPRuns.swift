import DarkroomCore

/// A reader of the runs of a bitmap in order.
///
/// Runs beyond the end of their row are cut, and rows need not end with a mark, as in browsers.
struct BMPRuns {
    /// Pixels that a run or literal colours.
    struct Segment {
        /// The column of the first pixel, and the row in stored order.
        let x, y: Int
        let count: Int
        /// The offset of their value, or of the first one of a literal.
        let position: Int
        let isLiteral: Bool
    }

    /// Whether the runs so far leave out pixels.
    private(set) var leavesGaps = false

    /// Whether the file ends before the last pixel.
    private(set) var isTruncated = false

    private let size: PixelSize
    private let bitsPerPixel: Int
    private var position: Int
    private var x = 0, y = 0

    /// Creates a reader of the runs of a bitmap with `header`.
    init(_ header: BMPHeader) {
        (size, bitsPerPixel, position) = (header.size, header.bitsPerPixel, header.pixelOffset)
    }

    /// Returns the next pixels, at least one; `nil` at the end. Every call must pass the same complete file.
    mutating func next(_ bytes: Span<UInt8>) -> Segment? {
        while y < size.height {
            guard let count = bytes.number(at: position, byteCount: 1),
                let code = bytes.number(at: position + 1, byteCount: 1)
            else { return end(isEarly: true) }
            position += 2
            let pixels: Segment?
            if count > 0 {
                pixels = run(count, bytes)
            } else if code > 2 {
                pixels = literal(code, bytes)
            } else {
                move(code, bytes)
                pixels = nil
            }
            if let pixels, pixels.count > 0 { return pixels }
        }
        return nil
    }

    private mutating func run(_ count: Int, _ bytes: Span<UInt8>) -> Segment? {
        let start = position - 1
        if bitsPerPixel == 24 { position += 2 }
        guard position <= bytes.count else { return end(isEarly: true) }
        return segment(count, at: start, isLiteral: false)
    }

    private mutating func literal(_ count: Int, _ bytes: Span<UInt8>) -> Segment? {
        let start = position
        let byteCount = (count * bitsPerPixel + 7) / 8
        guard start + byteCount <= bytes.count else { return end(isEarly: true) }
        position += byteCount + byteCount % 2
        return segment(count, at: start, isLiteral: true)
    }

    private mutating func segment(_ count: Int, at position: Int, isLiteral: Bool) -> Segment {
        let segment = Segment(
            x: x, y: y, count: min(count, size.width - x), position: position, isLiteral: isLiteral)
        x += segment.count
        return segment
    }

    /// Ends the row or the bitmap, or skips pixels.
    private mutating func move(_ code: Int, _ bytes: Span<UInt8>) {
        switch code {
        case 0:
            if x < size.width { leavesGaps = true }
            (x, y) = (0, y + 1)
        case 1: end(isEarly: false)
        default:
            guard let columns = bytes.number(at: position, byteCount: 1),
                let rows = bytes.number(at: position + 1, byteCount: 1)
            else { return _ = end(isEarly: true) }
            position += 2
            if columns > 0 || rows > 0 { leavesGaps = true }
            (x, y) = (min(x + columns, size.width), y + rows)
        }
    }

    @discardableResult private mutating func end(isEarly: Bool) -> Segment? {
        if x < size.width || y < size.height - 1 {
            leavesGaps = true
            isTruncated = isEarly
        }
        y = size.height
        return nil
    }
}
