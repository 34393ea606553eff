@testable import DarkroomCore
import Testing

struct WeakImageTests {
    private let size = PixelSize(2, 1)

    private func painted(_ value: UInt8) throws -> Bitmap {
        try Bitmap(size, hasAlpha: false) { pixels in
            for index in pixels.indices { pixels[index] = value }
        }
    }

    /// A frame decoder reuses pixels without other references; a weak reference could revive them at any time.
    @Test func weaklyReferencedPixelsAreNeverOverwritten() throws {
        let fresh = try painted(9)
        var spare: Bitmap? = try painted(1)
        let weak = WeakImage(Image(info: ImageInfo(format: .png, storedSize: size), bitmap: try #require(spare)))
        #expect(weak.image != nil)
        let copy = try unsafe fresh.copied(into: &spare, limits: .default) { _ in }
        // If the pixels had been reused, they would still exist, with the values of the copy.
        #expect(weak.image == nil)
        #expect(copy == fresh)
    }

    @Test func uniquelyReferencedPixelsAreReused() throws {
        let fresh = try painted(9)
        var spare: Bitmap? = try painted(1)
        let pixels = try #require(spare).identity
        let copy = try unsafe fresh.copied(into: &spare, limits: .default) { _ in }
        #expect(copy.identity == pixels)
    }
}
