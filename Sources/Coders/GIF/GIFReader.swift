import CGIFDecompressor
import DarkroomCore
import DarkroomPlatform

/// Decompresses one frame of a GIF in memory, and draws it.
final class GIFReader {
    /// The number of pixels decompressed so far, including those outside the area drawn.
    private(set) var pixelCount = 0

    private let data: Data
    private let frame: GIFFrame
    private let isInterlaced: Bool
    /// 256 pixels in memory order: zero for the transparent index, black for indices beyond the stored colours.
    private let palette: [UInt32]
    /// The offset of the compressed indices, which may lie beyond the file.
    private let indexOffset: Int
    private let decompressor: GIFDecompressor

    /// The number of indices that are decompressed at once, if rows are not longer.
    private static let blockSize = 1 << 14

    /// Reads the header of `frame` in `data`, a file that its outline was read from. The frame must have an area.
    init(_ data: Data, frame: GIFFrame, decompressor: GIFDecompressor) {
        self.data = data
        self.frame = frame
        self.decompressor = decompressor
        let bytes = data.span
        let flags = bytes[frame.offset + 9]
        isInterlaced = flags & 0x40 != 0
        let (screen, local) = (GIFColorTable(bytes[10], offset: 13), GIFColorTable(flags, offset: frame.offset + 10))
        indexOffset = frame.offset + 10 + (local?.byteCount ?? 0)
        let table = indexOffset < bytes.count ? local ?? screen : nil
        palette = bytes.palette(table, transparentIndex: frame.control.transparentIndex)
    }

    /// Whether the frame has no compressed indices at all, as transparent spacers have.
    var isEmpty: Bool {
        indexOffset < data.count && (indexOffset + 1 == data.count || data.span[indexOffset + 1] == 0)
    }

    /// Draws the frame on `pixels`, which represent `area` of the screen. Pixels that the frame does not cover stay
    /// unchanged, and those that it should cover, but that are missing, become transparent. Returns why they are missing.
    ///
    /// If the frame covers `area`, every pixel is written. It calls `checkCancellation` at least every 64 KiB.
    func draw(
        on pixels: inout MutableSpan<UInt8>, area: PixelRectangle, checkCancellation: () throws -> Void
    ) throws -> GIFDefect? {
        let target = GIFRows(
            numbers: rows, width: frame.area.width, left: frame.area.x - area.x, top: frame.area.y - area.y,
            area: area.size)
        var block = [UInt8](
            repeating: 0, count: max(1, min(Self.blockSize / target.width, target.numbers.count)) * target.width)
        let defect: GIFDefect? = try unsafe data.withUnsafeBytes { bytes in
            guard indexOffset < bytes.count else { return .incomplete }
            let indices = unsafe UnsafeRawBufferPointer(rebasing: bytes[indexOffset...])
            if let defect = unsafe decompressor.start(indices) { return defect }
            while pixelCount < target.pixelCount {
                let count = min(block.count, target.pixelCount - pixelCount)
                let (written, defect) = try decompressor.read(
                    &block, count: count, checkCancellation: checkCancellation)
                target.forEachVisiblePart(of: pixelCount..<(pixelCount + written)) { part, start in
                    let first = part.lowerBound - pixelCount
                    pixels.set(block.span.extracting(first..<(first + part.count)), from: palette, at: start)
                }
                pixelCount += written
                if let defect { return defect }
            }
            return nil
        }
        target.forEachVisiblePart(of: pixelCount..<target.pixelCount) { pixels.clear($0.count, at: $1) }
        return defect
    }

    /// The row numbers in stored order.
    private var rows: [Int] {
        guard isInterlaced else { return Array(0..<frame.area.height) }
        return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { start, step in
            Array(stride(from: start, to: frame.area.height, by: step))
        }
    }
}

/// The rows of a frame in stored order, and their places on a part of the screen.
private struct GIFRows {
    /// The row numbers in the frame.
    let numbers: [Int]
    let width: Int
    /// The position of the frame relative to the part of the screen, whose size is `area`.
    let left, top: Int
    let area: PixelSize

    var pixelCount: Int { numbers.count * width }

    /// Passes what is visible of each row in a range of stored pixels, and the place of its first pixel.
    func forEachVisiblePart(of range: Range<Int>, _ body: (_ part: Range<Int>, _ place: Int) -> Void) {
        let visible = min(width, area.width - left)
        var start = range.lowerBound
        while start < range.upperBound {
            let (row, x) = start.quotientAndRemainder(dividingBy: width)
            let end = min((row + 1) * width, range.upperBound)
            let (y, visibleEnd) = (top + numbers[row], min(end, row * width + visible))
            if start < visibleEnd, y < area.height { body(start..<visibleEnd, y * area.width + left + x) }
            start = end
        }
    }
}

/// A colour table of a file.
private struct GIFColorTable {
    let offset: Int
    let byteCount: Int

    /// Creates the table at `offset` that these flags of a descriptor announce; `nil` if there is none.
    init?(_ flags: UInt8, offset: Int) {
        guard flags & 0x80 != 0 else { return nil }
        (self.offset, byteCount) = (offset, 3 << (Int(flags & 7) + 1))
    }
}

extension Span<UInt8> {
    /// Returns 256 pixels in memory order. Without a table, all are black, but for the transparent one, as in browsers.
    fileprivate func palette(_ table: GIFColorTable?, transparentIndex: UInt8?) -> [UInt32] {
        var palette = [UInt32](repeating: UInt32(littleEndian: 0xFF00_0000), count: 256)
        for index in 0..<(table?.byteCount ?? 0) / 3 {
            let color = (table?.offset ?? 0) + 3 * index
            palette[index] = UInt32(
                littleEndian: 0xFF00_0000 | UInt32(self[color + 2]) << 16 | UInt32(self[color + 1]) << 8
                    | UInt32(self[color]))
        }
        if let transparentIndex { palette[Int(transparentIndex)] = 0 }
        return palette
    }
}

extension MutableSpan<UInt8> {
    /// Writes the pixels that `indices` select from `palette`, which must have 256 entries, starting at pixel `start`.
    fileprivate mutating func set(_ indices: Span<UInt8>, from palette: [UInt32], at start: Int) {
        precondition(start >= 0 && (start + indices.count) * 4 <= count && palette.count == 256)
        unsafe withUnsafeMutableBytes { bytes in
            let target = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt32.self)
            guard let target = unsafe target.map({ unsafe $0 + start }) else { return }
            unsafe indices.withUnsafeBufferPointer { indices in
                unsafe palette.withUnsafeBufferPointer { palette in
                    unsafe cgif_draw(indices.baseAddress, indices.count, palette.baseAddress, target)
                }
            }
        }
    }
    /// Makes `pixelCount` pixels transparent, starting at pixel `start`.
    fileprivate mutating func clear(_ pixelCount: Int, at start: Int) {
        precondition(start >= 0 && (start + pixelCount) * 4 <= count)
        unsafe withUnsafeMutableBytes { bytes in
            let range = unsafe bytes[(start * 4)..<((start + pixelCount) * 4)]
            unsafe UnsafeMutableRawBufferPointer(rebasing: range).initializeMemory(as: UInt8.self, repeating: 0)
        }
    }
}
