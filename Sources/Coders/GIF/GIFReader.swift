import CGIF
import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Decompresses one frame of a GIF in memory, and draws it.
final class GIFReader {
    /// The number of rows drawn so far.
    private(set) var rowCount = 0

    private let data: Data
    private let frame: GIFFrame
    private let isInterlaced: Bool
    /// 256 pixels in memory order: zero for the transparent index, black for indices beyond the stored colours.
    private let palette: [UInt32]
    /// The offset of the compressed indices.
    private let indexOffset: Int
    private let decompressor: GIFDecompressor

    /// The number of indices that are decompressed at once, if rows are not longer.
    private static let blockSize = 1 << 14

    /// Reads the header of `frame` in `data`, a file that its outline was read from.
    init(_ data: Data, frame: GIFFrame, decompressor: GIFDecompressor) throws(ImageError) {
        guard !frame.area.isEmpty else { throw ImageError(.corrupt, .decode, "a frame of the GIF has no pixels") }
        self.data = data
        self.frame = frame
        self.decompressor = decompressor
        let bytes = data.span
        let flags = bytes[frame.offset + 9]
        isInterlaced = flags & 0x40 != 0
        let (screen, local) = (GIFColorTable(bytes[10], offset: 13), GIFColorTable(flags, offset: frame.offset + 10))
        indexOffset = frame.offset + 10 + (local?.byteCount ?? 0)
        guard let table = local ?? screen else {
            throw ImageError(.corrupt, .decode, "the GIF has no colour table")
        }
        guard indexOffset < bytes.count else { throw .truncatedGIF }
        palette = table.palette(in: bytes, transparentIndex: frame.control.transparentIndex)
    }

    /// Draws the frame on `pixels`, which represent `area` of the screen. Pixels that the frame does not cover stay
    /// unchanged.
    ///
    /// If the frame covers `area`, every pixel is written. It calls `checkCancellation` at least every 64 KiB.
    func draw(on pixels: inout MutableSpan<UInt8>, area: PixelRectangle, checkCancellation: () throws -> Void) throws {
        let (width, left, top) = (frame.area.width, frame.area.x - area.x, frame.area.y - area.y)
        let visible = min(width, area.width - left)
        let rows = rows
        var block = [UInt8](repeating: 0, count: max(1, min(Self.blockSize / width, rows.count)) * width)
        try unsafe data.withUnsafeBytes { bytes in
            try unsafe decompressor.start(UnsafeRawBufferPointer(rebasing: bytes[indexOffset...]))
            while rowCount < rows.count {
                let count = min(block.count, (rows.count - rowCount) * width)
                let (written, failure) = try decompressor.read(
                    &block, count: count, checkCancellation: checkCancellation)
                for start in stride(from: 0, to: written - width + 1, by: width) {
                    let y = top + rows[rowCount]
                    rowCount += 1
                    guard visible > 0, y < area.height else { continue }
                    let row = block.span.extracting(start..<(start + visible))
                    pixels.set(row, from: palette, at: y * area.width + left)
                }
                if let failure { throw failure }
            }
            try decompressor.finish()
        }
    }

    /// The row numbers in stored order.
    private var rows: [Int] {
        guard isInterlaced else { return Array(0..<frame.area.height) }
        return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { start, step in
            Array(stride(from: start, to: frame.area.height, by: step))
        }
    }
}

/// A colour table of a file.
private struct GIFColorTable {
    private let offset: Int
    let byteCount: Int

    /// Creates the table at `offset` that these flags of a descriptor announce; `nil` if there is none.
    init?(_ flags: UInt8, offset: Int) {
        guard flags & 0x80 != 0 else { return nil }
        (self.offset, byteCount) = (offset, 3 << (Int(flags & 7) + 1))
    }

    /// Returns 256 pixels in memory order.
    func palette(in bytes: Span<UInt8>, transparentIndex: UInt8?) -> [UInt32] {
        var palette = [UInt32](repeating: UInt32(littleEndian: 0xFF00_0000), count: 256)
        for index in 0..<(byteCount / 3) {
            let color = offset + 3 * index
            palette[index] = UInt32(
                littleEndian: 0xFF00_0000 | UInt32(bytes[color + 2]) << 16 | UInt32(bytes[color + 1]) << 8
                    | UInt32(bytes[color]))
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
}
