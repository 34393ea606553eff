import DarkroomTestKit
import Testing

@testable import DarkroomQuantizing

@Suite struct PaletteMatcherTests {
    @Test(arguments: 0..<8)
    func nearestColorIsThatOfAFullSearch(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func color() -> PackedColor { PackedColor(bits: UInt32.random(in: 0...UInt32.max, using: &random)) }
        let points = (0..<Int.random(in: 1...256, using: &random)).map { _ in ColorPoint(color()) }
        let nearest = NearestColor(points)
        for _ in 0..<300 {
            let wanted = ColorPoint(color())
            let guess = Int.random(in: points.indices, using: &random)
            let found = points[nearest.index(nearestTo: wanted, guess: guess)].squaredDistance(to: wanted)
            #expect(found == points.map { $0.squaredDistance(to: wanted) }.min())
        }
    }

    @Test(arguments: 0..<8)
    func matchedColorIsThatOfAFullSearch(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func color() -> PackedColor {
            PackedColor(bits: UInt32.random(in: 0...UInt32.max, using: &random) | 0xFF00_0000)
        }
        let palette = (0..<Int.random(in: 1...256, using: &random)).map { _ in color() }
        let points = palette.map { ColorPoint($0) }
        var matcher = PaletteMatcher(palette, dithering: 0, width: 400)
        let row = (0..<400).map { _ in color() }
        for _ in 0..<3 {
            var indices = [UInt8](repeating: 0, count: row.count)
            matcher.lookUp(row, into: &indices)
            for (color, index) in zip(row, indices) {
                let distances = points.map { $0.squaredDistance(to: ColorPoint(color)) }
                #expect(distances[Int(index)] <= (distances.min() ?? 0) * 1.0001)
            }
        }
    }

    /// Colours that are near each other divide the cells around them.
    @Test(arguments: 0..<8, [false, true])
    func groupFindsTheNearestColor(_ seed: UInt64, isOpaque: Bool) {
        var random = SeededGenerator(seed: seed)
        let alphas: ClosedRange<UInt8> = isOpaque ? 255...255 : 1...254
        func color(_ channels: ClosedRange<UInt8>) -> PackedColor {
            let (red, green, blue) = (
                UInt8.random(in: channels, using: &random), UInt8.random(in: channels, using: &random),
                UInt8.random(in: channels, using: &random)
            )
            return PackedColor(red: red, green: green, blue: blue, alpha: UInt8.random(in: alphas, using: &random))
        }
        let points = (0..<256).map { ColorPoint(color($0 % 4 == 0 ? 0...255 : 120...131)) }
        var group = PaletteGroup(Array(points.indices), of: points, isOpaque: isOpaque)
        for number in 0..<400 {
            var wanted = ColorPoint(color(number % 3 == 0 ? 0...255 : 118...133))
            for axis in 0..<3 { wanted[axis] += Float.random(in: -0.5...0.5, using: &random) }
            wanted.clamp(lowerBound: .smallest, upperBound: .largestOpaque)
            let found = points[group.index(nearestTo: wanted)].squaredDistance(to: wanted)
            #expect(found == points.map { $0.squaredDistance(to: wanted) }.min())
        }
    }

    /// The point of a colour stands for what it looks like on all backgrounds.
    @Test func distanceIsTheErrorOnAllGreyBackgrounds() {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<100 {
            let colors = (0..<2).map { _ in PackedColor(bits: UInt32.random(in: 0...UInt32.max, using: &random)) }
            let error = (0...1000).reduce(0.0) { sum, step in
                let shown = colors.map { color in
                    let alpha = Double(color.alpha) / 255
                    return SIMD3(Double(color.red), Double(color.green), Double(color.blue)) * alpha
                        + 0.255 * Double(step) * (1 - alpha)
                }
                return sum + ((shown[0] - shown[1]) * (shown[0] - shown[1])).sum()
            }
            let distance = Double(ColorPoint(colors[0]).squaredDistance(to: ColorPoint(colors[1])))
            #expect(abs(distance - error / 1001) < 1 + error / 1001 / 100)
        }
    }

    @Test func pointsAreThoseOfTheirColors() {
        for bits in stride(from: UInt32(0x0100_0000), to: 0xFF00_0000, by: 0x00FE_DCB9) {
            let color = PackedColor(bits: bits)
            let other = PackedColor(ColorPoint(color), isOpaque: color.isOpaque)
            #expect(ColorPoint(color).squaredDistance(to: ColorPoint(other)) < 1)
            #expect(color.alpha == other.alpha)
        }
    }

    @Test(arguments: [0, 0.5, 1], [2, 3, 16, 256])
    func opaqueAndTransparentPixelsStaySo(_ dithering: Double, _ count: Int) throws {
        let picture = Picture(hasAlpha: true)
        let colors = try PaletteReduction.colors(for: picture.histogram, count: count) {}
        for (row, reduced) in zip(picture.rows, picture.reduced(to: colors, dithering: dithering)) {
            for (color, other) in zip(row, reduced) where [0, 255].contains(color.alpha) {
                #expect(color.alpha == other.alpha)
            }
        }
    }

    @Test func ditheringKeepsTheMeanOfASmoothArea() {
        let colors = [PackedColor(red: 100, green: 100, blue: 100), PackedColor(red: 120, green: 120, blue: 120)]
        let row = [PackedColor](repeating: PackedColor(red: 107, green: 107, blue: 107), count: 64)
        func mean(_ dithering: Double) -> Double {
            var matcher = PaletteMatcher(colors, dithering: dithering, width: 64)
            var (indices, sum) = ([UInt8](repeating: 0, count: 64), 0)
            for _ in 0..<64 {
                matcher.lookUp(row, into: &indices)
                sum += indices.reduce(0) { $0 + ($1 == 0 ? 100 : 120) }
            }
            return Double(sum) / 4096
        }
        #expect(mean(0) == 100)
        #expect(abs(mean(1) - 107) < 2)
        #expect(abs(mean(1) - 107) < abs(mean(0.5) - 107))
    }

    @Test(arguments: [0, 1.0]) func unchangedPixelsKeepTheirIndex(_ dithering: Double) {
        let colors = [PackedColor(red: 0, green: 0, blue: 0), PackedColor(red: 255, green: 255, blue: 255)]
        let grey = PackedColor(red: 127, green: 127, blue: 127)
        let row = [PackedColor](repeating: grey, count: 9) + [colors[1]]
        var matcher = PaletteMatcher(colors, dithering: dithering, width: 10)
        var indices: [UInt8] = [7, 7, 7, 7, 7, 7, 7, 7, 7, 7]
        matcher.lookUp(row, previous: [PackedColor](repeating: grey, count: 10), into: &indices)
        #expect(indices == [7, 7, 7, 7, 7, 7, 7, 7, 7, 1])
    }

    @Test(arguments: [1, 2])
    func narrowPicturesAreDithered(_ width: Int) {
        let colors = [PackedColor(red: 0, green: 0, blue: 0), PackedColor(red: 255, green: 255, blue: 255)]
        var matcher = PaletteMatcher(colors, dithering: 1, width: width)
        var indices = [UInt8](repeating: 9, count: width)
        for _ in 0..<5 {
            matcher.lookUp(Array(repeating: PackedColor(red: 90, green: 140, blue: 100), count: width), into: &indices)
            #expect(indices.allSatisfy { $0 < 2 })
        }
    }
}
