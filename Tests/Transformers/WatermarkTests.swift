import DarkroomCore
import DarkroomTransformers
import TestSupport
import Testing

struct WatermarkTests {
    private let picture = Bitmap.noise(9, 6)
    private let mark = Bitmap.noise(4, 3, seed: 2)

    @Test(arguments: [
        (Gravity.center, 2, 1), (.top, 2, 0), (.bottom, 2, 3), (.left, 0, 1), (.right, 5, 1), (.topLeft, 0, 0),
        (.topRight, 5, 0), (.bottomLeft, 0, 3), (.bottomRight, 5, 3),
    ])
    func positionFollowsTheGravity(gravity: Gravity, left: Int, top: Int) throws {
        let marked = try picture.after(.watermark(mark, gravity: gravity))
        #expect(marked == Bitmap(9, 6) { x, y in mark.color(x: x - left, y: y - top) ?? picture.color(x: x, y: y)! })
    }

    @Test(arguments: [
        (Gravity.bottomRight, 4, 1), (.topLeft, 1, 2), (.center, 3, 3), (.left, 1, 3), (.top, 3, 2),
    ])
    func offsetsPointInwards(gravity: Gravity, left: Int, top: Int) throws {
        let marked = try picture.after(.watermark(mark, gravity: gravity, offsetX: 1.4, offsetY: 2))
        #expect(marked == Bitmap(9, 6) { x, y in mark.color(x: x - left, y: y - top) ?? picture.color(x: x, y: y)! })
    }

    @Test func overhangIsClipped() throws {
        let marked = try picture.after(.watermark(mark, gravity: .topLeft, offsetX: -2, offsetY: 4))
        #expect(marked == Bitmap(9, 6) { x, y in mark.color(x: x + 2, y: y - 4) ?? picture.color(x: x, y: y)! })
        #expect(try picture.after(.watermark(mark, offsetX: -100)) == picture)
        let large = try picture.after(.watermark(.noise(11, 8, seed: 3), gravity: .center))
        #expect(large == Bitmap(9, 6) { x, y in Bitmap.noise(11, 8, seed: 3).color(x: x + 1, y: y + 1)! })
    }

    @Test(arguments: [1, 0.5, 0.25], [false, true])
    func watermarkIsBlendedOver(opacity: Double, hasAlpha: Bool) throws {
        let below = Bitmap.noise(12, 12, hasAlpha: hasAlpha)
        let above = Bitmap.noise(12, 12, hasAlpha: true, seed: 2)
        let marked = try below.after(.watermark(above, opacity: opacity))
        #expect(marked.hasAlpha == hasAlpha)
        let expected = Bitmap(12, 12, hasAlpha: hasAlpha) { x, y in
            let top = above.color(x: x, y: y)!.premultiplied * opacity
            return Color(premultiplied: top + below.color(x: x, y: y)!.premultiplied * (1 - top.w / 255), coverage: 1)
        }
        #expect(marked.isPremultipliedWithin(1.01, of: expected))
    }

    @Test func watermarkKeepsItsColorsOverTransparency() throws {
        let glass = Color(red: 200, green: 100, blue: 50, alpha: 80)
        let nothing = Bitmap(5, 5, hasAlpha: true) { _, _ in .clear }
        let marked = try nothing.after(.watermark(Bitmap(2, 2, hasAlpha: true) { _, _ in glass }, opacity: 0.5))
        #expect(marked.color(x: 4, y: 4) == Color(red: 200, green: 100, blue: 50, alpha: 40))
        #expect(marked.color(x: 2, y: 2) == .clear)
    }

    @Test func scaleIsAFractionOfTheWidth() throws {
        let red = Bitmap(3, 2) { _, _ in .pureRed }
        let marked = try Bitmap(20, 20) { _, _ in .white }.after(.watermark(red, gravity: .topLeft, scale: 0.3))
        #expect(marked == Bitmap(20, 20) { x, y in x < 6 && y < 4 ? .pureRed : .white })
    }

    @Test func resolvedWatermarkHasTheSizeForTheFirstFrame() throws {
        let watermark = Watermark(mark, gravity: .center, scale: 0.5)
        let request = TransformRequest()
        let resolved = try watermark.resolved(forFirstFrame: picture, request: request)
        #expect(try resolved.transform(picture, for: request) == watermark.transform(picture, for: request))
    }

    @Test func identifierContainsADigestOfThePixels() {
        let identifier = Watermark(mark, gravity: .top, offsetX: 1, opacity: 0.5, scale: 0.25).identifier
        #expect(identifier.hasPrefix("Watermark("))
        #expect(identifier.hasSuffix(",top,1.000000,0.000000,0.500000,0.250000)"))
        #expect(Watermark(mark).identifier == Watermark(.noise(4, 3, seed: 2)).identifier)
        // FNV-1a of "1×1", then of 1, 2, 3, 255 and of 255, 3, 2, 1, computed independently.
        let pixel = Watermark(Bitmap(1, 1) { _, _ in Color(red: 1, green: 2, blue: 3) })
        #expect(
            pixel.identifier
                == "Watermark(1e2749016eef9834c0b20569470b5642,bottomRight,0.000000,0.000000,1.000000,(null))")
        let marks = [mark, .noise(3, 4, seed: 2), .noise(4, 3, seed: 3), .noise(4, 3, hasAlpha: true, seed: 2)]
        #expect(Set(marks.map { Watermark($0).identifier }).count == 4)
    }

    @Test func invalidNumbersAreErrors() {
        for (number, text) in [(-0.1, "-0.1"), (.nan, "nan"), (.infinity, "inf"), (1e10, "10000000000.0")] {
            expectUnsupported(
                .watermark(mark, opacity: number), saying: "opacity of the watermark is \(text), but must be 0 to 1")
            expectUnsupported(
                .watermark(mark, scale: number), saying: "scale of the watermark is \(text), but must be above 0")
            guard number != -0.1 else { continue }
            expectUnsupported(.watermark(mark, offsetX: number), saying: "offset of the watermark is \(text)")
            expectUnsupported(.watermark(mark, offsetY: number), saying: "offset of the watermark is \(text)")
        }
        expectUnsupported(.watermark(mark, scale: 0), saying: "scale of the watermark is 0.0")
        expectOverLimit(.watermark(Bitmap(1, 100) { _, _ in .white }, scale: 1000), on: .noise(200, 1))
    }
}
