import DarkroomCore
import DarkroomTransformers
import TestSupport
import Testing

struct TrimmingTests {
    /// White pixels, with noise far from white in `area`.
    private func framed(_ size: PixelSize, _ area: PixelRectangle, seed: UInt64 = 1) -> Bitmap {
        let noise = Bitmap.noise(size.width, size.height, seed: seed)
        return Bitmap(size.width, size.height) { x, y in
            let isInside = (area.x..<(area.x + area.width)).contains(x) && (area.y..<(area.y + area.height)).contains(y)
            var color = isInside ? noise.color(x: x, y: y)! : .white
            if isInside { color.green = 100 }
            return color
        }
    }

    @Test(arguments: [
        PixelRectangle(x: 2, y: 3, width: 4, height: 2), PixelRectangle(x: 9, y: 7, width: 1, height: 1),
        PixelRectangle(x: 0, y: 1, width: 10, height: 1), PixelRectangle(x: 3, y: 0, width: 1, height: 8),
    ])
    func borderIsRemoved(area: PixelRectangle) throws {
        let picture = framed(PixelSize(10, 8), area)
        let trimmed = try picture.after(.trim())
        #expect(trimmed == Bitmap(area.width, area.height) { x, y in picture.color(x: x + area.x, y: y + area.y)! })
    }

    @Test func aSinglePixelCounts() throws {
        let dots = Bitmap(20, 20) { x, y in (x, y) == (3, 15) || (x, y) == (17, 4) ? .pureRed : .white }
        let trimmed = try dots.after(.trim())
        #expect(trimmed.size == PixelSize(15, 12))
        #expect((trimmed.color(x: 0, y: 11), trimmed.color(x: 14, y: 0)) == (.pureRed, .pureRed))
    }

    @Test func toleranceIsTheLargestDifference() throws {
        let gray = Bitmap(5, 5) { x, _ in Color(red: 100, green: x == 2 ? 110 : 100, blue: 100) }
        #expect(try gray.after(.trim(tolerance: 9)).size == PixelSize(1, 5))
        #expect(try gray.after(.trim(tolerance: 10)) == gray)
        #expect(try gray.after(.trim(tolerance: 0)).size == PixelSize(1, 5))
        #expect(try gray.after(.trim(tolerance: 255)) == gray)
    }

    @Test func alphaCounts() throws {
        let shade = Bitmap(5, 3, hasAlpha: true) { x, _ in
            Color(red: 0, green: 0, blue: 0, alpha: x == 3 ? 200 : 255)
        }
        #expect(try shade.after(.trim()).size == PixelSize(1, 3))
        let island = Bitmap(6, 6, hasAlpha: true) { x, y in x == 4 && y == 1 ? .white : .clear }
        #expect(try island.after(.trim(tolerance: 0)).bytes == [255, 255, 255, 255])
        // Almost transparent white differs from transparent pixels as much as almost transparent black.
        let haze = Bitmap(3, 1, hasAlpha: true) { x, _ in
            [.clear, Color(red: 255, green: 255, blue: 255, alpha: 5), .white][x]
        }
        #expect(try haze.after(.trim()).size == PixelSize(1, 1))
    }

    @Test func uniformImageIsUnchanged() throws {
        for color in [Color.white, .clear] {
            let plain = Bitmap(4, 3, hasAlpha: color.alpha < 255) { _, _ in color }
            #expect(try plain.after(.trim()) == plain)
        }
        #expect(try Bitmap.noise(1, 1).after(.trim()) == .noise(1, 1))
    }

    @Test func firstFrameDecidesForAllFrames() throws {
        let first = framed(PixelSize(10, 8), PixelRectangle(x: 2, y: 3, width: 4, height: 2))
        let second = framed(PixelSize(10, 8), PixelRectangle(x: 5, y: 1, width: 5, height: 6))
        let request = TransformRequest()
        let resolved = try Trimming().resolved(forFirstFrame: first, request: request)
        let trimmed = try resolved.transform(second, for: request)
        #expect(trimmed == Bitmap(4, 2) { x, y in second.color(x: x + 2, y: y + 3)! })
    }

    @Test func toleranceIsInTheIdentifierAndBounded() {
        #expect(Trimming().identifier == "Trimming(10)")
        for tolerance in [-1, 256, .max, .min] {
            expectUnsupported(
                .trim(tolerance: tolerance), saying: "tolerance of trimming is \(tolerance), but must be 0 to 255")
        }
    }
}
