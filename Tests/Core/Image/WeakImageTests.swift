@testable import DarkroomCore
import Testing

struct WeakImageTests {
    /// A decoder of frames paints over pixels that nobody else has; a weak reference could bring them back any time.
    @Test(arguments: [false, true])
    func pixelsWithAWeakReferenceAreNeverPaintedOver(isWeaklyHeld: Bool) throws {
        let size = PixelSize(2, 1)
        func painted(_ value: UInt8) throws -> Bitmap {
            try Bitmap(size, hasAlpha: false) { pixels in
                for index in pixels.indices { pixels[index] = value }
            }
        }
        let fresh = try painted(9)
        var spare: Bitmap? = try painted(1)
        let pixels = try #require(spare).identity
        let weak =
            try isWeaklyHeld
            ? WeakImage(Image(info: ImageInfo(format: .png, storedSize: size), bitmap: #require(spare))) : nil
        let copy = try unsafe fresh.copied(into: &spare, .default) { _ in }
        #expect((copy.identity == pixels) == !isWeaklyHeld)
        #expect(weak?.image == nil)
    }
}
