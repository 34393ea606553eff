@testable import DarkroomCore
import Testing

struct WeakImageTests {
    private let size = PixelSize(2, 1)

    private func painted(_ value: UInt8) throws -> Bitmap {
        try Bitmap(size, hasAlpha: false) { pixels in
            for index in pixels.indices { pixels[index] = value }
        }
    }

    /// A frame decoder changes pixels without other references; a weak reference could revive them at any time.
    @Test func weaklyReferencedPixelsAreNeverChangedInPlace() throws {
        var bitmap = try painted(1)
        let weak = WeakImage(Image(info: ImageInfo(format: .png, storedSize: size), bitmap: bitmap))
        #expect(weak.image != nil)
        let isChanged = bitmap.changeInPlace { _ in }
        #expect(!isChanged)
    }

    @Test func pixelsAreChangedInPlaceWithoutOtherReferences() throws {
        var bitmap = try painted(1)
        let isChanged = bitmap.changeInPlace { $0.clear(PixelRectangle(x: 0, y: 0, width: 1, height: 1)) }
        #expect(isChanged)
        #expect(bitmap.withPixels { pixels in pixels.indices.map { pixels[$0] } } == [0, 0, 0, 0, 1, 1, 1, 1])
        let copy = bitmap
        let isChangedAgain = bitmap.changeInPlace { _ in }
        #expect(!isChangedAgain && copy == bitmap)
    }
}
