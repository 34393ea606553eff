import DarkroomCore
import DarkroomTestKit
import DarkroomTransformers
import TestSupport
import Testing

struct GreyscaleTests {
    private func grey(_ bitmap: Bitmap) throws -> Bitmap { try Greyscale().transform(bitmap, for: TransformRequest()) }

    @Test func identifierHasNoParameters() { #expect(Greyscale.greyscale.identifier == "Greyscale()") }

    @Test func eachGreyIsTheLumaOfThePixel() throws {
        var random = SeededGenerator(seed: 3)
        let picture = Bitmap(37, 11, hasAlpha: true) { _, _ in
            let bits = random.next()
            return Color(
                red: UInt8(truncatingIfNeeded: bits), green: UInt8(truncatingIfNeeded: bits >> 8),
                blue: UInt8(truncatingIfNeeded: bits >> 16), alpha: UInt8(truncatingIfNeeded: bits >> 24) | 1)
        }
        let greys = try grey(picture)
        for (color, got) in zip(
            picture.colors(in: PixelRectangle(picture.size))!, greys.colors(in: PixelRectangle(picture.size))!)
        {
            #expect(got.red == got.green && got.green == got.blue && got.alpha == color.alpha)
            let luma = 0.2126 * Double(color.red) + 0.7152 * Double(color.green) + 0.0722 * Double(color.blue)
            #expect(abs(Double(got.red) - luma) < 0.51)
        }
    }

    @Test func greysAndTransparencyAreUnchanged() throws {
        let greys = Bitmap(256, 2, hasAlpha: true) { x, y in
            Color(red: UInt8(x), green: UInt8(x), blue: UInt8(x), alpha: y == 0 ? 255 : 0)
        }
        #expect(try grey(greys) == greys)
        #expect(try !grey(Bitmap(3, 3) { _, _ in .white }).hasAlpha)
    }
}
