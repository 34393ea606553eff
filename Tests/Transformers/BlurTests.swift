import DarkroomCore
import DarkroomTestKit
import DarkroomTransformers
import TestSupport
import Testing

struct BlurTests {
    private static func noise(_ width: Int, _ height: Int, hasAlpha: Bool) -> Bitmap {
        var random = SeededGenerator(seed: UInt64(width * 1000 + height))
        return Bitmap(width, height, hasAlpha: hasAlpha) { _, _ in
            let bits = random.next()
            let alpha: UInt8 =
                bits >> 40 & 3 == 0 ? 0 : bits >> 40 & 3 == 1 ? 255 : UInt8(truncatingIfNeeded: bits >> 32)
            return Color(
                red: UInt8(truncatingIfNeeded: bits), green: UInt8(truncatingIfNeeded: bits >> 8),
                blue: UInt8(truncatingIfNeeded: bits >> 16), alpha: hasAlpha ? alpha : 255)
        }
    }

    private func blur(_ bitmap: Bitmap, _ radius: Double, inLinearLight: Bool = false) throws -> Bitmap {
        try Blur(radius: radius, inLinearLight: inLinearLight).transform(bitmap, for: TransformRequest())
    }

    @Test func identifierNamesTheRadius() {
        #expect(Blur(radius: 5).identifier == "Blur(5.000000)")
        #expect(Blur(radius: 0.5, inLinearLight: true).identifier == "Blur(0.500000,linear)")
    }

    @Test(
        arguments: [(0.5, 5), (2, 5), (3, 7), (5, 9), (10, 19), (20, 39), (25, 47), (50, 95)],
        [(1, 1), (13, 6), (2, 11)])
    func eachPixelIsTheRoundedMeanOfThreeBoxes(blur: (radius: Double, side: Int), size: (Int, Int)) throws {
        for hasAlpha in [false, true] {
            let picture = Self.noise(size.0, size.1, hasAlpha: hasAlpha)
            #expect(try self.blur(picture, blur.radius) == SlowBlur(side: blur.side).blur(picture))
        }
    }

    @Test func blurMayBeMuchLargerThanTheImage() throws {
        let picture = Self.noise(7, 5, hasAlpha: true)
        #expect(try blur(picture, 1000) == SlowBlur(side: 1881).blur(picture))
        // With one side black and the other white, everything becomes grey, and nothing overflows.
        let halves = Bitmap(40, 40) { x, _ in x < 20 ? Color(red: 0, green: 0, blue: 0) : .white }
        for isLinear in [false, true] {
            let grey = try blur(halves, 16384, inLinearLight: isLinear)
            #expect(try #require(grey.color(x: 20, y: 20)).red == (isLinear ? 188 : 128))
        }
    }

    @Test(arguments: [false, true]) func uniformImageIsUnchanged(isLinear: Bool) throws {
        for alpha in [255, 128, 3] as [UInt8] {
            let color = Color(red: 255, green: 0, blue: alpha == 3 ? 255 : 77, alpha: alpha)
            let picture = Bitmap(30, 20, hasAlpha: alpha < 255) { _, _ in color }
            let blurred = try blur(picture, 6, inLinearLight: isLinear)
            let got = try #require(blurred.color(x: 11, y: 11)?.components)
            let difference = got - color.components
            #expect(max(difference.max(), -difference.min()) < 0.01)
            #expect(blurred.hasAlpha == picture.hasAlpha)
        }
    }

    @Test func transparentPixelsContributeNoColor() throws {
        let picture = Bitmap(40, 8, hasAlpha: true) { x, _ in
            x < 20 ? Color(red: 250, green: 0, blue: 0) : Color(red: 0, green: 0, blue: 0, alpha: 0)
        }
        for isLinear in [false, true] {
            let blurred = try blur(picture, 5, inLinearLight: isLinear)
            let edge = try #require(blurred.color(x: 20, y: 4))
            #expect((100...140).contains(edge.alpha))
            #expect((248...252).contains(edge.red))
        }
    }

    @Test func linearLightBlurSpreadsLight() throws {
        let picture = Bitmap(60, 1) { x, _ in x < 30 ? Color(red: 0, green: 0, blue: 0) : .white }
        let blurred = try blur(picture, 4, inLinearLight: true)
        let plain = try blur(picture, 4)
        for x in 0..<60 {
            // Blurring values of 0 and 255 shows the weight of each pixel.
            let light = Float(plain.color(x: x, y: 0)!.red) / 255
            let expected = Int(LinearLight.sRGBValue(of: light))
            let steep = light < 0.02 ? 14 : 2
            #expect(abs(Int(blurred.color(x: x, y: 0)!.red) - expected) <= steep)
        }
        #expect(blurred.color(x: 30, y: 0)!.red > plain.color(x: 30, y: 0)!.red + 40)
    }

    @Test func brightPixelStaysCentered() throws {
        let picture = Bitmap(30, 30) { x, y in x == 5 && y == 8 ? .white : Color(red: 0, green: 0, blue: 0) }
        let bytes = try blur(picture, 2).bytes
        let brightest = try #require((0..<900).max { bytes[$0 * 4] < bytes[$1 * 4] })
        #expect(abs(brightest % 30 - 5) <= 1)
        #expect(abs(brightest / 30 - 8) <= 1)
    }

    @Test func zeroRadiusChangesNothing() throws {
        let picture = Self.noise(4, 4, hasAlpha: true)
        for radius in [0, 1e-7, 4.9e-7, -1e-9] { #expect(try blur(picture, radius).isIdentical(to: picture)) }
    }

    @Test(arguments: [-1, -1e-6, 16385, 1e300, .infinity, .nan, -.infinity])
    func outOfRangeRadiusIsAnError(radius: Double) throws {
        for isLinear in [false, true] {
            let error = #expect(throws: ImageError.self) {
                try blur(Self.noise(3, 3, hasAlpha: false), radius, inLinearLight: isLinear)
            }
            #expect(error?.kind == .unsupported)
            #expect(error?.stage == .transform)
            #expect(error?.message.contains("\(radius)") == true)
        }
    }
}

/// A blur that adds up the square around every pixel, with 16 bits for each channel if there is alpha.
private struct SlowBlur {
    let side: Int

    func blur(_ bitmap: Bitmap) -> Bitmap {
        let scale = bitmap.hasAlpha ? 257 : 1
        var rows = bitmap.colors(in: PixelRectangle(bitmap.size))!.map { color in
            let channels: [UInt8] = [color.red, color.green, color.blue, 255]
            return channels.map { (Int($0) * Int(color.alpha) * scale * 2 + 255) / 510 }
        }
        for _ in 0..<3 { rows = box(rows, bitmap.size) }
        return Bitmap(bitmap.size.width, bitmap.size.height, hasAlpha: bitmap.hasAlpha) { x, y in
            let pixel = rows[y * bitmap.size.width + x]
            func straight(_ value: Int) -> UInt8 {
                pixel[3] == 0 ? 0 : UInt8((Double(value) * 255 / Double(pixel[3])).rounded(.toNearestOrEven))
            }
            return Color(
                red: straight(pixel[0]), green: straight(pixel[1]), blue: straight(pixel[2]),
                alpha: UInt8((pixel[3] * 2 + scale) / (scale * 2)))
        }
    }

    private func box(_ pixels: [[Int]], _ size: PixelSize) -> [[Int]] {
        // How often each column and row occurs in the square; positions beyond the edge count as the edge.
        func counts(_ middle: Int, _ length: Int) -> [Int] {
            var counts = [Int](repeating: 0, count: length)
            for offset in -(side / 2)...(side / 2) { counts[min(max(middle + offset, 0), length - 1)] += 1 }
            return counts
        }
        let columns = (0..<size.width).map { counts($0, size.width) }
        let rows = (0..<size.height).map { counts($0, size.height) }
        return (0..<size.height).flatMap { y in
            (0..<size.width).map { x in
                var sums = [0, 0, 0, 0]
                for row in 0..<size.height where rows[y][row] > 0 {
                    for column in 0..<size.width where columns[x][column] > 0 {
                        let count = rows[y][row] * columns[x][column]
                        for channel in 0..<4 { sums[channel] += count * pixels[row * size.width + column][channel] }
                    }
                }
                return sums.map { ($0 * 2 + side * side) / (side * side * 2) }
            }
        }
    }
}
