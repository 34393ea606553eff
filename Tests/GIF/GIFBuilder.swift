import DarkroomCore
import FoundationEssentials

/// Writes small GIFs block by block, with pixels that are not compressed.
struct GIFBuilder {
    private var bytes: [UInt8]

    /// A screen of 2×1 pixels with up to four colours.
    init(palette: [Color] = [.white, .white, .white, .white]) {
        let bits = palette.count > 2 ? 1 : 0
        bytes = Array("GIF89a".utf8) + [2, 0, 1, 0, 0x80 | UInt8(bits), 0, 0]
        bytes += palette.flatMap { [$0.red, $0.green, $0.blue] }
    }

    /// The file, its end included.
    var data: Data { Data(bytes + [0x3B]) }

    func control(delay: Int) -> GIFBuilder {
        adding([0x21, 0xF9, 4, 0, UInt8(delay & 0xFF), UInt8(delay >> 8), 0, 0])
    }

    func loop(_ application: String, _ count: Int) -> GIFBuilder {
        adding([0x21, 0xFF, 11] + Array(application.utf8) + [3, 1, UInt8(count & 0xFF), UInt8(count >> 8), 0])
    }

    /// A frame of one row of indices below 4; the screen becomes as wide.
    func frame(indices: [UInt8] = [0, 1], width: Int = 2) -> GIFBuilder {
        // Codes of three bits: clear (4), an index, clear, an index and so on; then the end (5).
        let codes: [UInt8] = indices.flatMap { [4, $0] as [UInt8] } + [5]
        var packed = [UInt8](repeating: 0, count: (codes.count * 3 + 7) / 8)
        for bit in 0..<(codes.count * 3) where codes[bit / 3] >> (bit % 3) & 1 == 1 {
            packed[bit / 8] |= 1 << (bit % 8)
        }
        var builder = adding(
            [0x2C, 0, 0, 0, 0, UInt8(width), 0, 1, 0, 0, 2, UInt8(packed.count)] + packed + [0])
        builder.bytes[6] = UInt8(width)
        return builder
    }

    private func adding(_ block: [UInt8]) -> GIFBuilder {
        var builder = self
        builder.bytes += block
        return builder
    }
}
