import DarkroomCore
import DarkroomTransformers
import TestSupport
import Testing

struct CanvasTests {
    private let picture = Bitmap.noise(4, 3)

    /// The position of the upper left pixel of a 4×3 image on a 9×6 canvas.
    @Test(arguments: [
        (Gravity.center, 2, 1), (.top, 2, 0), (.bottom, 2, 3), (.left, 0, 1), (.right, 5, 1), (.topLeft, 0, 0),
        (.topRight, 5, 0), (.bottomLeft, 0, 3), (.bottomRight, 5, 3),
    ])
    func positionFollowsTheGravity(gravity: Gravity, left: Int, top: Int) throws {
        let canvas = try picture.after(.canvas(width: 9, height: 6, gravity: gravity, background: .pureRed))
        #expect(canvas == Bitmap(9, 6) { x, y in picture.color(x: x - left, y: y - top) ?? .pureRed })
    }

    @Test func largerImageIsClipped() throws {
        let canvas = try picture.after(.canvas(width: 3, height: 1))
        #expect(canvas == Bitmap(3, 1) { x, _ in picture.color(x: x, y: 1)! })
        let corner = try picture.after(.canvas(width: 2, height: 2, gravity: .bottomRight))
        #expect(corner == Bitmap(2, 2) { x, y in picture.color(x: x + 2, y: y + 1)! })
    }

    @Test func paddingIsTransparentWithoutABackground() throws {
        let canvas = try picture.after(.canvas(width: 4, height: 4, gravity: .bottom))
        #expect(canvas == Bitmap(4, 4, hasAlpha: true) { x, y in picture.color(x: x, y: y - 1) ?? .clear })
    }

    @Test func backgroundMayBeTranslucent() throws {
        let glass = Color(red: 9, green: 8, blue: 7, alpha: 6)
        let canvas = try picture.after(.canvas(width: 5, height: 3, gravity: .left, background: glass))
        #expect(canvas == Bitmap(5, 3, hasAlpha: true) { x, y in picture.color(x: x, y: y) ?? glass })
    }

    @Test func sidesAreRoundedUpUnlessTheIdentifierShowsAWholeNumber() throws {
        #expect(try picture.after(.canvas(width: 4.1, height: 3.000_000_1)).size == PixelSize(5, 3))
    }

    @Test func sameSizeIsTheImageItself() throws {
        #expect(try picture.after(.canvas(width: 4, height: 3)).isIdentical(to: picture))
    }

    @Test func paddingAddsRoomOnEachSide() throws {
        let padded = try picture.after(.pad(top: 1, left: 2, bottom: 3, right: 4, background: .pureBlue))
        #expect(padded == Bitmap(10, 7) { x, y in picture.color(x: x - 2, y: y - 1) ?? .pureBlue })
        let frame = try picture.after(.pad(1))
        #expect(frame == Bitmap(6, 5, hasAlpha: true) { x, y in picture.color(x: x - 1, y: y - 1) ?? .clear })
        #expect(try picture.after(.pad()) == picture)
    }

    @Test func identifiersContainAllParameters() {
        #expect(
            Canvas(width: 100, height: 50, background: .white).identifier
                == "Canvas({100.000000,50.000000},center,#ffffffff)")
        #expect(Canvas(width: 1, height: 1, gravity: .left).identifier == "Canvas({1.000000,1.000000},left,(null))")
        #expect(
            Padding(top: 1, left: 2, bottom: 3, right: 4).identifier
                == "Padding({1.000000,2.000000,3.000000,4.000000},(null))")
    }

    @Test(arguments: [(0.0, "0.0"), (-1, "-1.0"), (.nan, "nan"), (.infinity, "inf"), (2e9, "2000000000.0")])
    func invalidSidesAreErrors(side: Double, text: String) {
        expectUnsupported(.canvas(width: side, height: 1), saying: "width of a canvas is \(text), but must be above 0")
        expectUnsupported(.canvas(width: 1, height: side), saying: "height of a canvas is \(text)")
        guard side != 0 else { return }
        expectUnsupported(.pad(bottom: side), saying: "padding at the bottom is \(text), but must be 0 to")
    }

    @Test func hugeCanvasesExceedTheLimits() {
        expectOverLimit(.canvas(width: 1e9, height: 1e9))
        expectOverLimit(.pad(1e9))
    }
}
