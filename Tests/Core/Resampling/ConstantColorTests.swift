import DarkroomCore
import DarkroomTestKit
import TestSupport
import Testing

struct ConstantColorTests {
    @Test(arguments: ResamplingPath.available, 0..<24)
    func transparentNeighboursDoNotChangeAColor(path: ResamplingPath, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func side(_ most: Int) -> Int { Int.random(in: 1...most, using: &random) }
        for filter in ResamplingFilter.allCases {
            for inLinearLight in [false, true] {
                let picture = ConstantColor(PixelSize(side(60), side(40)), isBinary: seed % 2 == 0, &random)
                // A third are reduced enough for averaging.
                let target = seed % 3 == 0 ? PixelSize(side(3), side(3)) : PixelSize(side(70), side(50))
                var resampler = try RowResampler(
                    from: picture.bitmap.size, to: target, hasAlpha: true, filter: filter,
                    inLinearLight: inLinearLight, path: path)
                resampler.appendRows(of: picture.bitmap)
                let change = picture.largestChange(in: resampler.finish())
                #expect(change <= 1, "\(picture.bitmap.size) to \(target) \(filter) \(inLinearLight)")
            }
        }
    }

    @Test func edgeOfAnEnlargedColorKeepsIt() throws {
        let bitmap = Bitmap(8, 1, hasAlpha: true) { x, _ in
            Color(red: 200, green: 30, blue: 40, alpha: x < 4 ? 0 : 255)
        }
        for inLinearLight in [false, true] {
            let wide = try bitmap.resized(to: PixelSize(16, 1), inLinearLight: inLinearLight)
            for x in 8..<16 {
                let pixel = try #require(wide.color(x: x, y: 0))
                #expect((pixel.red, pixel.green, pixel.blue) == (200, 30, 40) && pixel.alpha > 190)
            }
        }
    }
}
