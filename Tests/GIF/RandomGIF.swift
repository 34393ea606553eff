import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport

/// An animation of small random frames, with the images that a slow reference compositor makes of it.
struct RandomGIF {
    let data: Data
    let pictures: [[Color]]

    private static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)

    /// Creates a reproducible animation. Some frames lie beyond the screen, and some after the first have no pixels.
    init(seed: UInt64, size: PixelSize = PixelSize(7, 5), frameCount: Int = 9, isFirstWhole: Bool = false) {
        var random = SeededGenerator(seed: seed)
        let colors = Self.colors(&random)
        var builder = GIFBuilder(palette: colors, size: size)
        var canvas = [Color](repeating: Self.clear, count: size.width * size.height)
        var pictures: [[Color]] = []
        for index in 0..<frameCount {
            let isWhole = index == 0 && isFirstWhole || Int.random(in: 0..<4, using: &random) == 0
            let area = isWhole ? PixelRectangle(size) : Self.area(around: size, minSide: index == 0 ? 1 : 0, &random)
            let indices = (0..<(area.width * area.height)).map { _ in UInt8.random(in: 0..<4, using: &random) }
            let own = Bool.random(using: &random) ? Self.colors(&random) : []
            let transparent = Bool.random(using: &random) ? UInt8.random(in: 0..<4, using: &random) : nil
            let disposal = Int.random(in: 0..<8, using: &random)
            builder = builder.control(disposal: disposal, transparentIndex: transparent)
                .frame(area, indices: indices, palette: own)

            let before = canvas
            let covered = (0..<(area.width * area.height)).filter { pixel in
                area.x + pixel % area.width < size.width && area.y + pixel / area.width < size.height
            }
            func place(_ pixel: Int) -> Int { (area.y + pixel / area.width) * size.width + area.x + pixel % area.width }
            for pixel in covered where indices[pixel] != transparent {
                canvas[place(pixel)] = (own.isEmpty ? colors : own)[Int(indices[pixel])]
            }
            pictures.append(canvas)
            if disposal == 2 { for pixel in covered { canvas[place(pixel)] = Self.clear } }
            if disposal == 3 || disposal == 4 { canvas = before }
        }
        data = builder.data
        self.pictures = pictures
    }

    private static func colors(_ random: inout SeededGenerator) -> [Color] {
        (0..<4).map { _ in
            let value = UInt32.random(in: 0...0xFF_FFFF, using: &random)
            return Color(red: UInt8(value >> 16), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
        }
    }

    private static func area(around size: PixelSize, minSide: Int, _ random: inout SeededGenerator) -> PixelRectangle {
        PixelRectangle(
            x: .random(in: 0...(size.width + 1), using: &random), y: .random(in: 0...(size.height + 1), using: &random),
            width: .random(in: minSide...size.width, using: &random),
            height: .random(in: minSide...size.height, using: &random))
    }
}

extension Bitmap {
    /// All pixels, row by row.
    var colors: [Color] {
        (0..<(size.width * size.height)).compactMap { color(x: $0 % size.width, y: $0 / size.width) }
    }
}
