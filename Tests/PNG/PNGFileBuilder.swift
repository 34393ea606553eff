import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport

/// Writes stills byte by byte, from filtered rows.
struct PNGFileBuilder {
    let size: PixelSize
    let colorType: UInt8
    let bitDepth: UInt8
    /// The filter type of each row.
    var filters: [UInt8]
    /// The filtered rows without their filter types.
    var rows: [[UInt8]]
    /// The maximum number of bytes of pixels per chunk.
    var chunkByteCount = 100
    /// Whether an empty chunk precedes each chunk of pixels.
    var hasEmptyChunks = false

    init(size: PixelSize, colorType: UInt8, bitDepth: UInt8 = 8) {
        self.size = size
        self.colorType = colorType
        self.bitDepth = bitDepth
        let channelCount = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType]!
        filters = Array(repeating: 0, count: size.height)
        let byteCount = (size.width * channelCount * Int(bitDepth) + 7) / 8
        rows = Array(repeating: Array(repeating: 0, count: byteCount), count: size.height)
    }

    /// Fills all rows with random bytes.
    mutating func fill(_ random: inout SeededGenerator) {
        for y in rows.indices { for x in rows[y].indices { rows[y][x] = .random(in: 0...255, using: &random) } }
    }

    var data: Data {
        var header = UInt32(size.width).bytes + UInt32(size.height).bytes
        header += [bitDepth, colorType, 0, 0, 0]
        var data = Data([0x89]) + Data("PNG\r\n\u{1A}\n".utf8)
        data += AnimatedPNGBuilder.chunk("IHDR", Data(header))
        if colorType == 3 {
            let colors: [UInt8] = (0..<(bitDepth == 8 ? 200 : 1 << bitDepth)).flatMap { index -> [UInt8] in
                [index, 255 - index, 7]
            }
            data +=
                AnimatedPNGBuilder.chunk("PLTE", Data(colors)) + AnimatedPNGBuilder.chunk("tRNS", Data([0, 9]))
        }
        let stream = AnimatedPNGBuilder.stored(zip(filters, rows).flatMap { [$0] + $1 })
        for start in stride(from: 0, to: stream.count, by: chunkByteCount) {
            if hasEmptyChunks { data += AnimatedPNGBuilder.chunk("IDAT", Data()) }
            let end = min(start + chunkByteCount, stream.count)
            data += AnimatedPNGBuilder.chunk("IDAT", Data(stream[start..<end]))
        }
        return data + AnimatedPNGBuilder.chunk("IEND", Data())
    }
}
