import DarkroomCore
import FoundationEssentials

/// Writes small GIFs block by block, with uncompressed pixels.
struct GIFBuilder {
    private var bytes: [UInt8]

    /// Creates a screen with up to four colours, or none of its own.
    init(palette: [Color] = [.white, .white, .white, .white], size: PixelSize = PixelSize(2, 1)) {
        let bits = palette.count > 2 ? 1 : 0
        bytes =
            Array("GIF89a".utf8) + Self.numbers(size.width, size.height) + [
                palette.isEmpty ? 0 : 0x80 | UInt8(bits), 0, 0,
            ]
        bytes += Self.table(palette)
    }

    /// The file, including its trailer.
    var data: Data { Data(bytes + [0x3B]) }

    func control(delay: Int = 10, disposal: Int = 0, transparentIndex: UInt8? = nil) -> GIFBuilder {
        let flags = UInt8(disposal << 2) | (transparentIndex == nil ? 0 : 1)
        return adding([0x21, 0xF9, 4, flags] + Self.numbers(delay) + [transparentIndex ?? 0, 0])
    }

    func loop(_ application: String, _ count: Int) -> GIFBuilder {
        adding([0x21, 0xFF, 11] + Array(application.utf8) + [3, 1] + Self.numbers(count) + [0])
    }

    /// Appends a frame with one row of indices below 4, as wide as the screen becomes.
    func frame(indices: [UInt8] = [0, 1], width: Int = 2) -> GIFBuilder {
        var builder = frame(PixelRectangle(x: 0, y: 0, width: width, height: 1), indices: indices)
        builder.bytes[6] = UInt8(width)
        return builder
    }

    /// Appends a frame with indices below 4 at `area`, with a local palette or that of the screen.
    func frame(_ area: PixelRectangle, indices: [UInt8], palette: [Color] = []) -> GIFBuilder {
        // Codes of three bits: clear (4), an index, clear, an index and so on; then the end (5).
        frame(area, blocks: Self.packed(indices.flatMap { [4, Int($0)] } + [5]), palette: palette)
    }

    /// Returns the bytes of codes of three bits, or of another width. The rest of the last byte is no code.
    static func packed(_ codes: [Int], width: Int = 3) -> [UInt8] {
        var packed = [UInt8](repeating: 0xFF, count: (codes.count * width + 7) / 8)
        for bit in 0..<(codes.count * width) where codes[bit / width] >> (bit % width) & 1 == 0 {
            packed[bit / 8] &= ~(1 << (bit % 8))
        }
        return packed
    }

    /// Appends a frame at `area` with compressed pixels in `blocks`.
    func frame(
        _ area: PixelRectangle, blocks: [UInt8], codeSize: UInt8 = 2, palette: [Color] = []
    ) -> GIFBuilder {
        var block = [0x2C] + Self.numbers(area.x, area.y, area.width, area.height)
        block += [palette.isEmpty ? 0 : 0x81] + Self.table(palette) + [codeSize]
        for start in stride(from: 0, to: blocks.count, by: 255) {
            let part = blocks[start..<min(start + 255, blocks.count)]
            block += [UInt8(part.count)] + part
        }
        return adding(block + [0])
    }

    func adding(_ block: [UInt8]) -> GIFBuilder {
        var builder = self
        builder.bytes += block
        return builder
    }

    private static func numbers(_ values: Int...) -> [UInt8] {
        values.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }

    private static func table(_ colors: [Color]) -> [UInt8] { colors.flatMap { [$0.red, $0.green, $0.blue] } }
}
