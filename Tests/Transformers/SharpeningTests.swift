import DarkroomCore
import DarkroomPlatform
import DarkroomTestKit
import DarkroomTransformers
import TestSupport
import Testing

struct SharpeningTests {
    private static func noise(_ width: Int, _ height: Int, hasAlpha: Bool) -> Bitmap {
        var random = SeededGenerator(seed: UInt64(width))
        return Bitmap(width, height, hasAlpha: hasAlpha) { _, _ in
            let bits = random.next()
            let alpha: UInt8 =
                bits >> 40 & 3 == 0 ? 0 : bits >> 40 & 3 == 1 ? 255 : UInt8(truncatingIfNeeded: bits >> 32)
            return Color(
                red: UInt8(truncatingIfNeeded: bits) / 2 + 50, green: UInt8(truncatingIfNeeded: bits >> 8),
                blue: UInt8(truncatingIfNeeded: bits >> 16), alpha: hasAlpha ? alpha : 255)
        }
    }

    private func sharpen(
        _ bitmap: Bitmap, amount: Double = 1, radius: Double = 1, threshold: Int = 0
    ) throws -> Bitmap {
        try Sharpening(amount: amount, radius: radius, threshold: threshold).transform(bitmap, for: TransformRequest())
    }

    @Test func identifierNamesTheNumbers() {
        #expect(Sharpening().identifier == "Sharpening(1.000000,1.000000,0)")
        #expect(Sharpening(amount: 0.5, radius: 2.5, threshold: 3).identifier == "Sharpening(0.500000,2.500000,3)")
    }

    @Test(
        arguments: [(1.0, 1.0, 0), (0.5, 2.3, 0), (3, 0.4, 0), (1.5, 1, 20), (1, 7, 4), (1, 0.01, 0)],
        [(1, 1), (13, 9), (2, 24)])
    func eachPixelMovesAwayFromTheBlur(mask: (amount: Double, radius: Double, threshold: Int), size: (Int, Int))
        throws
    {
        for hasAlpha in [false, true] {
            let picture = Self.noise(size.0, size.1, hasAlpha: hasAlpha)
            let sharp = try sharpen(picture, amount: mask.amount, radius: mask.radius, threshold: mask.threshold)
            let judge = SlowUnsharpMask(amount: mask.amount, radius: mask.radius, threshold: Double(mask.threshold))
            #expect(sharp.hasAlpha == hasAlpha)
            for y in 0..<size.1 {
                for x in 0..<size.0 {
                    let got = sharp.color(x: x, y: y)!
                    #expect(got.alpha == picture.color(x: x, y: y)!.alpha)
                    guard got.alpha > 0 else { continue }
                    for (value, right) in zip([got.red, got.green, got.blue], judge.values(picture, x, y)) {
                        #expect(right.contains { abs(Double(value) - $0) < 0.51 })
                    }
                }
            }
        }
    }

    @Test func alphaEdgesGetNoHalo() throws {
        let picture = Bitmap(20, 20, hasAlpha: true) { x, _ in
            Color(red: 130, green: 60, blue: 90, alpha: x < 8 ? 255 : x < 10 ? 120 : 0)
        }
        #expect(try sharpen(picture, amount: 4, radius: 2).largestDifference(to: picture) == 0)
    }

    @Test func differencesBelowTheThresholdAreUnchanged() throws {
        let picture = Bitmap(16, 4) { x, _ in
            x % 2 == 0 ? Color(red: 100, green: 0, blue: 9) : Color(red: 104, green: 0, blue: 9)
        }
        #expect(try sharpen(picture, threshold: 3) == picture)
        #expect(try sharpen(picture, threshold: 1) != picture)
    }

    @Test func zeroAmountOrRadiusChangesNothing() throws {
        let picture = Self.noise(5, 5, hasAlpha: true)
        #expect(try sharpen(picture, amount: 0).isIdentical(to: picture))
        #expect(try sharpen(picture, radius: 0).isIdentical(to: picture))
        #expect(try sharpen(picture, radius: 1e-300) == picture)
    }

    @Test(arguments: [
        (-1.0, 1.0, 0), (101, 1, 0), (.nan, 1, 0), (1, -0.1, 0), (1, 33, 0), (1, .infinity, 0), (1, .nan, 0),
        (1, 1, -1),
        (1, 1, 256), (1, 1, .max), (1, 1, .min),
    ])
    func outOfRangeNumbersAreErrors(amount: Double, radius: Double, threshold: Int) {
        let error = #expect(throws: ImageError.self) {
            try sharpen(Self.noise(3, 3, hasAlpha: false), amount: amount, radius: radius, threshold: threshold)
        }
        #expect(error?.kind == .unsupported)
    }
}

/// Weights all neighbours of each pixel by a two-dimensional Gaussian.
private struct SlowUnsharpMask {
    let amount, radius, threshold: Double

    /// The permitted values of red, green and blue, 0 to 255: two of them where the difference is close to the
    /// threshold.
    func values(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> [[Double]] {
        let reach = Int((radius * 3).rounded(.up))
        var sums = [0.0, 0, 0, 0]
        for row in -reach...reach {
            for column in -reach...reach {
                let distance = Double(row * row + column * column)
                let weight = distance == 0 ? 1 : exp(-distance / (2 * radius * radius))
                let color = bitmap.color(
                    x: min(max(x + column, 0), bitmap.size.width - 1), y: min(max(y + row, 0), bitmap.size.height - 1))!
                let channels = [color.red, color.green, color.blue, 255]
                for channel in 0..<4 { sums[channel] += weight * Double(color.alpha) * Double(channels[channel]) }
            }
        }
        let color = bitmap.color(x: x, y: y)!
        return [color.red, color.green, color.blue].indices.map { channel in
            let value = Double([color.red, color.green, color.blue][channel])
            let difference = value - sums[channel] / sums[3] * 255
            let sharp = min(max(value + difference * amount, 0), 255)
            if abs(abs(difference) - threshold) < 0.001 { return [value, sharp] }
            return [abs(difference) > threshold ? sharp : value]
        }
    }
}
