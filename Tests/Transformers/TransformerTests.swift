import DarkroomCore
import DarkroomTransformers
import TestSupport
import Testing

struct TransformerTests {
    /// Every pixel differs from every other.
    private let picture = Bitmap(5, 3) { x, y in Color(red: UInt8(x * 50), green: UInt8(y * 80), blue: 7) }

    private func apply(_ transformer: some ImageTransformer, to bitmap: Bitmap? = nil) throws -> Bitmap {
        try transformer.transform(bitmap ?? picture, for: TransformRequest())
    }

    @Test(arguments: [
        (Flipping(horizontal: true, vertical: false) as any ImageTransformer, "Flipping(1,0)"),
        (Cropping(x: 0, y: 0, width: 50, height: 50), "Cropping({0.000000,0.000000,50.000000,50.000000})"),
        (Resizing(width: 100, height: 100, mode: .cover), "Resizing({100.000000,100.000000},2)"),
        (ThumbnailTransformer(.fit(180, 120)), "Thumbnail({180.000000,120.000000},1)"),
    ])
    func identifiersHaveTheDocumentedForm(transformer: any ImageTransformer, identifier: String) {
        #expect(transformer.identifier == identifier)
    }

    @Test func flippingMirrors() throws {
        for y in 0..<3 {
            for x in 0..<5 {
                let color = picture.color(x: x, y: y)
                #expect(try apply(.flip(horizontal: true)).color(x: 4 - x, y: y) == color)
                #expect(try apply(.flip(vertical: true)).color(x: x, y: 2 - y) == color)
                #expect(try apply(.flip(horizontal: true, vertical: true)).color(x: 4 - x, y: 2 - y) == color)
            }
        }
        #expect(try apply(.flip()) == picture)
    }

    @Test func croppingExpandsToWholePixelsWithinTheImage() throws {
        let crop = try apply(.crop(x: 1.5, y: -4, width: 2, height: 5.5))
        #expect(crop.size == PixelSize(3, 2))
        #expect(crop.color(x: 0, y: 0) == picture.color(x: 1, y: 0))
        #expect(crop.color(x: 2, y: 1) == picture.color(x: 3, y: 1))
        #expect(try apply(.crop(x: 3, y: 1, width: 100, height: 100)).size == PixelSize(2, 2))
    }

    @Test(arguments: [
        (5.0, 0.0, 1.0, 1.0), (0, 0, 0, 1), (0, 0, 1, -1), (-3, 0, 3, 1), (.nan, 0, 1, 1), (0, 0, .infinity, .nan),
    ])
    func croppingOutsideIsAnError(x: Double, y: Double, width: Double, height: Double) {
        let error = #expect(throws: ImageError.self) { try apply(.crop(x: x, y: y, width: width, height: height)) }
        #expect(error?.kind == .unsupported)
    }

    @Test(arguments: Resizing.Mode.allCases, [PixelSize(10, 10), PixelSize(2, 7), PixelSize(40, 3), PixelSize(5, 3)])
    func resizingGivesExactlyTheSize(mode: Resizing.Mode, size: PixelSize) throws {
        let resized = try apply(.resize(Double(size.width), Double(size.height), mode))
        #expect(resized.size == size)
    }

    @Test func fitIsCentredOnTransparency() throws {
        let white = Bitmap(10, 4) { _, _ in .white }
        let fitted = try apply(.resize(20, 20, .fit), to: white)
        #expect(fitted.color(x: 0, y: 5)?.alpha == 0)
        #expect(fitted.color(x: 0, y: 6) == .white)
        #expect(fitted.color(x: 19, y: 13) == .white)
        #expect(fitted.color(x: 19, y: 14)?.alpha == 0)
    }

    @Test func coverShowsTheCentre() throws {
        let bars = Bitmap(30, 10) { x, _ in (10..<20).contains(x) ? .white : Color(red: 255, green: 0, blue: 0) }
        let covered = try apply(.resize(5, 5, .cover), to: bars)
        #expect(covered == Bitmap(5, 5) { _, _ in .white })
    }

    @Test func invalidSizesAreErrors() {
        for side in [0, -1, .nan, .infinity] {
            #expect(throws: ImageError.self) { try apply(.resize(side, 10)) }
        }
    }
}
