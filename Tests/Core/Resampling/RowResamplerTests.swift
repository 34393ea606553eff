import DarkroomCore
import DarkroomTestKit
import Foundation
import TestSupport
import Testing

struct RowResamplerTests {
    @Test(
        arguments: ResamplingFilter.allCases, [PixelSize(3, 2), PixelSize(7, 50), PixelSize(40, 5), PixelSize(64, 64)])
    func uniformAreasStayExact(filter: ResamplingFilter, size: PixelSize) throws {
        let colors = [
            Color.white, Color(red: 1, green: 2, blue: 3), Color(red: 254, green: 128, blue: 5, alpha: 2),
            Color(red: 200, green: 100, blue: 50, alpha: 3), Color(red: 9, green: 99, blue: 199, alpha: 254),
        ]
        for color in colors {
            let bitmap = Bitmap(40, 30, hasAlpha: color.alpha < 255) { _, _ in color }
            let expected = Bitmap(size.width, size.height, hasAlpha: color.alpha < 255) { _, _ in color }
            #expect(try bitmap.resized(to: size, filter: filter) == expected)
            #expect(try bitmap.resized(to: size, filter: filter, inLinearLight: true) == expected)
        }
    }

    /// A straightforward reference: every target pixel is a weighted sum over both axes, in double precision and
    /// premultiplied.
    private func reference(_ bitmap: Bitmap, _ size: PixelSize, _ filter: ResamplingFilter) -> Bitmap {
        func weights(_ index: Int, _ source: Int, _ target: Int) -> [(Int, Double)] {
            let scale = Double(source) / Double(target)
            let widening = max(1, scale)
            let center = (Double(index) + 0.5) * scale
            let raw = (0..<source).map { ($0, filter.kernel((Double($0) + 0.5 - center) / widening)) }
            let sum = raw.reduce(0) { $0 + $1.1 }
            return raw.map { ($0.0, $0.1 / sum) }.filter { $0.1 != 0 }
        }
        return Bitmap(size.width, size.height, hasAlpha: bitmap.hasAlpha) { x, y in
            var sum = SIMD4<Double>.zero
            for (sourceY, weightY) in weights(y, bitmap.size.height, size.height) {
                for (sourceX, weightX) in weights(x, bitmap.size.width, size.width) {
                    let color = bitmap.color(x: sourceX, y: sourceY)!
                    let alpha = Double(color.alpha) / 255
                    sum +=
                        weightX * weightY
                        * SIMD4(
                            Double(color.red) * alpha, Double(color.green) * alpha, Double(color.blue) * alpha,
                            255 * alpha)
                }
            }
            guard sum.w >= 0.5 else { return Color(red: 0, green: 0, blue: 0, alpha: 0) }
            func channel(_ value: Double) -> UInt8 { UInt8(min(max(value * 255 / sum.w, 0), 255).rounded()) }
            return Color(
                red: channel(sum.x), green: channel(sum.y), blue: channel(sum.z),
                alpha: UInt8(min(sum.w, 255).rounded()))
        }
    }

    @Test(
        arguments: ResamplingFilter.allCases,
        [PixelSize(9, 7), PixelSize(5, 21), PixelSize(31, 3), PixelSize(1, 1), PixelSize(40, 33)])
    func pixelsMatchTheReferenceImplementation(filter: ResamplingFilter, size: PixelSize) throws {
        for hasAlpha in [false, true] {
            var random = SeededGenerator(seed: 42)
            let bitmap = Bitmap(23, 17, hasAlpha: hasAlpha) { _, _ in
                func level() -> UInt8 { .random(in: 0...255, using: &random) }
                return Color(red: level(), green: level(), blue: level(), alpha: hasAlpha ? level() : 255)
            }
            let resized = try bitmap.resized(to: size, filter: filter)
            let expected = reference(bitmap, size, filter)
            #expect(resized.size == size)
            // Allows for single-precision rounding; with a low alpha, a colour is divided by a small number.
            for (left, right) in zip(resized.pixels, expected.pixels) {
                let tolerance = right.alpha < 32 ? 9 : 1
                #expect(left.distance(to: right) <= tolerance)
            }
        }
    }

    @Test func colorOfTransparentPixelsDoesNotBleed() throws {
        let bitmap = Bitmap(8, 1, hasAlpha: true) { x, _ in
            x < 4 ? Color(red: 255, green: 0, blue: 0) : Color(red: 0, green: 255, blue: 0, alpha: 0)
        }
        for pixel in try bitmap.resized(to: PixelSize(3, 1)).pixels where pixel.alpha > 0 {
            #expect(pixel.red == 255 && pixel.green == 0)
        }
    }

    @Test func sameSizeReturnsTheSameBitmap() throws {
        let bitmap = Bitmap(5, 4) { x, y in Color(red: UInt8(x), green: UInt8(y), blue: 9) }
        #expect(try bitmap.resized(to: bitmap.size) == bitmap)
    }

    @Test func missingRowsAreTransparent() throws {
        var resampler = try RowResampler(from: PixelSize(4, 8), to: PixelSize(2, 4), hasAlpha: true)
        let row = Bitmap(4, 1) { _, _ in .white }
        for _ in 0..<7 { row.withPixels { resampler.append($0) } }
        let bitmap = resampler.finish()
        #expect(bitmap.color(x: 0, y: 0) == .white)
        #expect(bitmap.color(x: 0, y: 3)?.alpha == 0)
    }

    @Test func intermediateBuffersCountAgainstTheLimit() {
        var limits = DecodeLimits.default
        limits.decodedByteCount = 1 << 20
        let error = #expect(throws: ImageError.self) {
            try RowResampler(from: PixelSize(100_000, 1), to: PixelSize(50_000, 1), hasAlpha: false, limits: limits)
        }
        #expect(error?.kind == .overLimit)
    }

    @Test func colorUnderAlphaOneIsPreservedWithinOneLevel() throws {
        let color = Color(red: 255, green: 130, blue: 1, alpha: 1)
        let bitmap = Bitmap(40, 30, hasAlpha: true) { _, _ in color }
        for pixel in try bitmap.resized(to: PixelSize(17, 13)).pixels {
            #expect(pixel.alpha == 1 && pixel.distance(to: color) <= 1)
        }
    }

    @Test(arguments: [
        (PixelSize(1, 40_000), PixelSize(1, 1)), (PixelSize(1, 40_000), PixelSize(4, 7)),
        (PixelSize(5000, 3), PixelSize(1, 1)), (PixelSize(3, 1), PixelSize(3, 10_000)),
    ])
    func memoryUseIsBoundedAtAnyScale(_ source: PixelSize, _ target: PixelSize) throws {
        var limits = DecodeLimits.default
        limits.decodedByteCount = 400_000
        for filter in ResamplingFilter.allCases {
            var resampler = try RowResampler(
                from: source, to: target, hasAlpha: false, filter: filter, limits: limits)
            let row = Bitmap(source.width, 1) { _, _ in Color(red: 10, green: 20, blue: 30) }
            for _ in 0..<source.height { row.withPixels { resampler.append($0) } }
            let expected = Bitmap(target.width, target.height) { _, _ in Color(red: 10, green: 20, blue: 30) }
            #expect(resampler.finish() == expected)
        }
    }

    @Test func unscaledAxisKeepsItsPixels() throws {
        var random = SeededGenerator(seed: 3)
        let row = Bitmap(31, 1, hasAlpha: true) { x, _ in
            func level() -> UInt8 { .random(in: 0...255, using: &random) }
            return Color(red: level(), green: level(), blue: level(), alpha: max(level(), 2))
        }
        for filter in ResamplingFilter.allCases {
            for inLinearLight in [false, true] {
                let tall = try row.resized(to: PixelSize(31, 9), filter: filter, inLinearLight: inLinearLight)
                for y in 0..<9 { #expect((0..<31).allSatisfy { tall.color(x: $0, y: y) == row.color(x: $0, y: 0) }) }
            }
        }
    }

    @Test func linearLightPreservesTheBrightnessOfFinePatterns() throws {
        for alpha: UInt8 in [255, 100] {
            let checks = Bitmap(64, 64, hasAlpha: alpha < 255) { x, y in
                let level: UInt8 = (x + y) % 2 == 0 ? 255 : 0
                return Color(red: level, green: level, blue: level, alpha: alpha)
            }
            for size in [PixelSize(16, 16), PixelSize(4, 4)] {
                let middle = (x: size.width / 2, y: size.height / 2)
                let plain = try checks.resized(to: size).color(x: middle.x, y: middle.y)
                let linear = try checks.resized(to: size, inLinearLight: true).color(x: middle.x, y: middle.y)
                // Half the light is the value 188.
                #expect(try (126...130).contains(#require(plain).red))
                #expect(try (186...189).contains(#require(linear).red))
                #expect(linear?.alpha == alpha)
            }
        }
    }

    @Test(arguments: [Double.nan, -.infinity, .infinity, -3, 0, 1e300])
    func invalidExtentMeansTheWholeImage(_ side: Double) throws {
        let bitmap = Bitmap(12, 12) { x, _ in Color(red: UInt8(x * 20), green: 0, blue: 0) }
        var resampler = try RowResampler(
            from: bitmap.size, extent: (side, side), to: PixelSize(5, 5), hasAlpha: false)
        bitmap.withPixels { pixels in
            for y in 0..<12 { resampler.append(pixels.extracting((y * 48)..<((y + 1) * 48))) }
        }
        #expect(try resampler.finish() == bitmap.resized(to: PixelSize(5, 5)))
    }

    @Test func extentExcludesPixelsBeyondTheImage() throws {
        // 4 columns, of which the image covers 3: the last one is invisible.
        let row = Bitmap(4, 1) { x, _ in x < 3 ? .white : Color(red: 0, green: 0, blue: 0) }
        var resampler = try RowResampler(
            from: row.size, extent: (3, 1), to: PixelSize(3, 1), hasAlpha: false, filter: .box)
        row.withPixels { resampler.append($0) }
        #expect(resampler.finish() == Bitmap(3, 1) { _, _ in .white })
    }

    @Test func cancellationStopsBetweenRows() {
        let bitmap = Bitmap(10, 10) { _, _ in .white }
        #expect(throws: ImageError.self) {
            try bitmap.resized(to: PixelSize(5, 5), checkCancellation: { throw ImageError.cancelled })
        }
    }
}

extension ResamplingFilter {
    fileprivate func kernel(_ distance: Double) -> Double {
        func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }
        switch self {
        case .box: return distance > -0.5 && distance <= 0.5 ? 1 : 0
        case .lanczos3: return distance.magnitude < 3 ? sinc(distance) * sinc(distance / 3) : 0
        }
    }
}

extension Bitmap {
    fileprivate var pixels: [Color] {
        (0..<size.height).flatMap { y in (0..<size.width).map { x in color(x: x, y: y)! } }
    }
}

extension Color {
    fileprivate func distance(to other: Color) -> Int {
        zip([red, green, blue, alpha], [other.red, other.green, other.blue, other.alpha]).map { abs(Int($0) - Int($1)) }
            .max()!
    }
}
