import Darkroom
import DarkroomTestKit
import TestSupport
import Testing

/// `SDImageTransformer` and `UIImage+Transform`.
struct SDImageTransformerTests {
    private let card = Bitmap.testCard(20, 10)

    private func apply(_ transformer: any ImageTransformer, to bitmap: Bitmap? = nil) throws -> Bitmap {
        try transformer.transform(bitmap ?? card, for: TransformRequest())
    }

    @Test func keyNamesTheParameters() {
        #expect((.flip(horizontal: true) as Flipping).identifier == "Flipping(1,0)")
        #expect((.rotate(radians: 0.785398, fitsSize: false) as Rotation).identifier == "Rotation(0.785398,0)")
        #expect((.tint(Color(red: 255, green: 0, blue: 0)) as Tint).identifier == "Tint(#ffff0000,18)")
        #expect((.blur(radius: 5) as Blur).identifier == "Blur(5.000000)")
    }

    @Test func flippingHorizontallyMirrorsLeftAndRight() throws {
        let flipped = try apply(.flip(horizontal: true))
        #expect(flipped.color(x: 0, y: 3) == card.color(x: 19, y: 3))
    }

    @Test func croppingKeepsTheRectangleWithoutResampling() throws {
        let crop = try apply(.crop(x: 5, y: 2, width: 4, height: 3))
        #expect(crop.size == PixelSize(4, 3) && crop.color(x: 0, y: 0) == card.color(x: 5, y: 2))
    }

    @Test func croppingBeyondTheEdgeIsCutToTheImage() throws {
        #expect(try apply(.crop(x: 15, y: 5, width: 50, height: 50)).size == PixelSize(5, 5))
    }

    @Test(arguments: [Resizing.Mode.stretch, .fit, .cover])
    func resizingHasExactlyTheRequestedSize(mode: Resizing.Mode) throws {
        #expect(try apply(.resize(30, 30, mode)).size == PixelSize(30, 30))
    }

    @Test func aspectFitLeavesTheRestTransparent() throws {
        let resized = try apply(.resize(20, 20, .fit))
        #expect(resized.color(x: 10, y: 0)?.alpha == 0 && resized.color(x: 10, y: 10)?.alpha == 255)
    }

    @Test func rotationIsCounterclockwiseAndFitsByDefault() throws {
        let rotated = try apply(.rotate(radians: .pi / 2))
        #expect(rotated.size == PixelSize(10, 20))
        #expect(rotated.color(x: 0, y: 0) == card.color(x: 19, y: 0))
    }

    @Test func rotationWithoutFitKeepsTheSize() throws {
        #expect(try apply(.rotate(radians: .pi / 4, fitsSize: false)).size == card.size)
    }

    @Test func roundCornersAreTransparent() throws {
        let rounded = try apply(.roundCorner(radius: 5))
        #expect(rounded.size == card.size)
        #expect(rounded.color(x: 0, y: 0)?.alpha == 0 && rounded.color(x: 10, y: 5)?.alpha == 255)
    }

    @Test func tintGivesEveryVisiblePixelTheColour() throws {
        let red = Color(red: 255, green: 0, blue: 0)
        #expect(try Set(apply(.tint(red)).colors(in: PixelRectangle(card.size)) ?? []) == [red])
    }

    @Test func tintWithAClearColourChangesNothing() throws {
        let clear = Color(red: 255, green: 0, blue: 0, alpha: 0)
        #expect(try apply(.tint(clear)).bytes == card.bytes)
    }

    @Test func blurOfAConstantAreaIsTheSame() throws {
        let grey = try Bitmap(PixelSize(9, 9), bytes: (0..<81).flatMap { _ in [99, 99, 99, 255] as [UInt8] })
        #expect(try apply(.blur(radius: 5), to: grey).bytes == grey.bytes)
    }

    @Test func invertIsComputedInLinearLight() throws {
        let grey = try Bitmap(PixelSize(1, 1), bytes: [151, 151, 151, 255])
        let inverted = try #require(try apply(.colorInvert, to: grey).color(x: 0, y: 0))
        #expect(abs(Double(inverted.red) / 255 - 0.85) < 0.01 && inverted.alpha == 255)
    }

    @Test func pipelineAppliesItsMembersInOrder() throws {
        let both = try apply(.pipeline([.crop(x: 0, y: 0, width: 10, height: 10), .flip(horizontal: true)]))
        #expect(both.size == PixelSize(10, 10) && both.color(x: 0, y: 0) == card.color(x: 9, y: 0))
        let identifier = TransformerPipeline([.flip(horizontal: true), .rotate(radians: 0)]).identifier
        #expect(identifier == "Flipping(1,0)-Rotation(0.000000,1)")
    }

    @Test func colourOutsideTheImageIsNil() {
        #expect(card.color(x: 20, y: 0) == nil)
        #expect(card.colors(in: PixelRectangle(x: 18, y: 0, width: 4, height: 1)) == nil)
        #expect(card.colors(in: PixelRectangle(x: 0, y: 0, width: 4, height: 2))?.count == 8)
    }

    @Test func hexStringHasAlphaFirst() {
        #expect("\(Color(red: 255, green: 0, blue: 0))" == "#ffff0000")
    }
}
