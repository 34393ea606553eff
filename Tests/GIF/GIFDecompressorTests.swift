import DarkroomCore
import DarkroomGIF
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

struct GIFDecompressorTests {
    /// Pixels that compress to strings of all lengths, and fill the table of codes several times.
    enum Pattern: CaseIterable {
        case noise, gradient, text, plain

        func index(x: Int, y: Int, noise: inout SeededGenerator) -> Int {
            switch self {
            case .noise: Int.random(in: 0..<256, using: &noise)
            case .gradient: (x + y) / 2 + Int.random(in: 0..<3, using: &noise)
            case .text: y % 12 < 7 && (x * 7919 + y / 12 * 31) % 5 == 0 ? 1 : x / 90
            case .plain: 0
            }
        }
    }

    /// The colours beyond `count` are replaced by others, so all widths of codes occur.
    @Test(.bug(id: "18.2"), arguments: Pattern.allCases, [2, 4, 16, 256])
    func decompressesWhatTheEncoderCompresses(_ pattern: Pattern, count: Int) throws {
        for size in [PixelSize(300, 200), PixelSize(1, 1), PixelSize(3, 500), PixelSize(17_000, 2)] {
            var noise = SeededGenerator(seed: 5)
            let bitmap = Bitmap(size.width, size.height) { x, y in
                let index = UInt8(pattern.index(x: x, y: y, noise: &noise) % count)
                return Color(red: index, green: 255 - index, blue: index ^ 85)
            }
            let registry = CoderRegistry([GIFCoder()])
            let image = Image(info: ImageInfo(format: .gif, storedSize: size), bitmap: bitmap)
            let context = ImageContext { $0.limits.workTime = .seconds(600) }
            let data = try registry.encode(image, as: .gif, context: context)
            #expect(try registry.decode(data, context: context).bitmap == bitmap, "\(size)")
        }
    }
}
