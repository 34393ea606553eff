import DarkroomCore
import DarkroomTransformers
import TestSupport
import Testing

struct CroppingTests {
    private let picture = Bitmap.noise(7, 5, hasAlpha: true)

    @Test func everyPixelMatchesTheImage() throws {
        let crop = try picture.after(.crop(x: 2, y: 1, width: 4, height: 3))
        #expect(crop == Bitmap(4, 3, hasAlpha: true) { x, y in picture.color(x: x + 2, y: y + 1)! })
    }

    @Test func wholeRectangleIsTheImageItself() throws {
        let crop = try picture.after(.crop(x: -1, y: 0, width: 100, height: 5))
        #expect(crop == picture)
    }

    @Test(arguments: [
        (16.0 / 9.0, Gravity.center, PixelRectangle(x: 0, y: 0, width: 7, height: 4)),
        (1, .left, PixelRectangle(x: 0, y: 0, width: 5, height: 5)),
        (1, .center, PixelRectangle(x: 1, y: 0, width: 5, height: 5)),
        (1, .topRight, PixelRectangle(x: 2, y: 0, width: 5, height: 5)),
        (7, .bottom, PixelRectangle(x: 0, y: 4, width: 7, height: 1)),
        (7, .topLeft, PixelRectangle(x: 0, y: 0, width: 7, height: 1)),
        (7.0 / 3, .center, PixelRectangle(x: 0, y: 1, width: 7, height: 3)),
        (7.0 / 5, .bottomRight, PixelRectangle(x: 0, y: 0, width: 7, height: 5)),
        (1e300, .top, PixelRectangle(x: 0, y: 0, width: 7, height: 1)),
        (0.000_001, .right, PixelRectangle(x: 6, y: 0, width: 1, height: 5)),
    ])
    func aspectRatioAndGravityDetermineTheCrop(ratio: Double, gravity: Gravity, area: PixelRectangle) throws {
        let crop = try picture.after(.crop(aspectRatio: ratio, gravity: gravity))
        #expect(crop.size == area.size)
        #expect(crop.color(x: 0, y: 0) == picture.color(x: area.x, y: area.y))
    }

    @Test func identifiersContainRatioAndGravity() {
        #expect(AspectCropping(width: 16, height: 9).identifier == "AspectCropping(1.777778,center)")
        #expect(AspectCropping(aspectRatio: 1, gravity: .topLeft).identifier == "AspectCropping(1.000000,topLeft)")
    }

    @Test(arguments: [(0.0, "0.0"), (.leastNonzeroMagnitude, "0.0"), (-1, "-1.0"), (.nan, "nan"), (.infinity, "inf")])
    func invalidRatioIsAnError(ratio: Double, text: String) {
        expectUnsupported(.crop(aspectRatio: ratio), saying: "ratio to crop to is \(text), but must be above 0")
    }

    @Test func rectangleOutsideIsNamed() {
        expectUnsupported(.crop(x: 9, y: 0, width: 2, height: 2), saying: "2.0×2.0 at (9.0, 0.0)")
    }
}
