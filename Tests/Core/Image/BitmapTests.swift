@testable import DarkroomCore
import TestSupport
import Testing

struct BitmapTests {
    @Test func colorUnderAlphaZeroIsCleared() throws {
        let bitmap = Bitmap(2, 1, hasAlpha: true) { x, _ in Color(red: 9, green: 8, blue: 7, alpha: x == 0 ? 0 : 1) }
        #expect(bitmap.bytes == [0, 0, 0, 0, 9, 8, 7, 1])
    }

    @Test func sizeBeyondTheLimitIsRefusedBeforeAnyAllocation() {
        var limits = DecodeLimits.default
        limits.decodedByteCount = 400
        let error = #expect(throws: ImageError.self) {
            try Bitmap(PixelSize(11, 10), hasAlpha: false, limits: limits) { _ in Issue.record("it was allocated") }
        }
        #expect(error?.kind == .overLimit)
        #expect(
            error?.message
                == "decodedByteCount is 440, and the limit is 400; raise it with context.limits.decodedByteCount")
    }

    @Test(arguments: [PixelSize(0, 1), PixelSize(-1, 5), PixelSize(.max, .max), PixelSize(1 << 31, 1 << 31)])
    func invalidSizesAreErrors(size: PixelSize) {
        #expect(throws: ImageError.self) { try Bitmap(size, hasAlpha: false) { _ in } }
    }

    @Test func colorsAreReadByColumnAndRow() {
        let bitmap = Bitmap(3, 2) { x, y in Color(red: UInt8(x), green: UInt8(y), blue: 5) }
        #expect(bitmap.color(x: 2, y: 1) == Color(red: 2, green: 1, blue: 5))
        #expect(bitmap.color(x: 3, y: 0) == nil)
        #expect(bitmap.color(x: 0, y: -1) == nil)
    }

    @Test func bytesAreThePixels() throws {
        let bytes: [UInt8] = [1, 2, 3, 255, 4, 5, 6, 128, 7, 8, 9, 0]
        let bitmap = try Bitmap(PixelSize(1, 3), bytes: bytes)
        #expect(bitmap.hasAlpha && bitmap.color(x: 0, y: 1) == Color(red: 4, green: 5, blue: 6, alpha: 128))
        #expect(bitmap.bytes == bytes.prefix(8) + [0, 0, 0, 0], "colour under alpha 0 is cleared")
        #expect(try Bitmap(PixelSize(1, 1), bytes: bytes[0..<4], hasAlpha: false).bytes == [1, 2, 3, 255])
    }

    @Test(arguments: [
        (PixelSize(1, 1), 3, true, "3 bytes are not the RGBA pixels of a bitmap of 1×1, which has 4"),
        (PixelSize(0, 1), 0, true, "0 bytes are not the RGBA pixels of a bitmap of 0×1, which has 0"),
        (PixelSize(2, 1), 8, false, "pixel (0, 0) of a bitmap without alpha has alpha 9"),
    ])
    func invalidBytesAreErrors(size: PixelSize, byteCount: Int, hasAlpha: Bool, message: String) {
        let error = #expect(throws: ImageError.self) {
            try Bitmap(size, bytes: Array(repeating: 9, count: byteCount), hasAlpha: hasAlpha)
        }
        #expect(error?.kind == .unsupported && error?.message == message)
    }

    @Test func pixelsNeitherMoveNorChangeWhileACopyExists() throws {
        func address(_ bitmap: Bitmap) -> UnsafePointer<UInt8>? {
            unsafe bitmap.withPixels { pixels in unsafe pixels.withUnsafeBufferPointer { $0.baseAddress } }
        }
        var bitmap = try Bitmap(PixelSize(1, 1), bytes: [1, 2, 3, 255])
        var copy: Bitmap? = bitmap
        let pixels = try unsafe #require(unsafe address(bitmap))
        #expect(!bitmap.changeInPlace { $0.clear(PixelRectangle(PixelSize(1, 1))) })
        bitmap = try Bitmap(PixelSize(1, 1), bytes: [9, 9, 9, 255])
        #expect(try unsafe address(#require(copy)) == pixels)
        #expect(unsafe Array(UnsafeBufferPointer(start: pixels, count: 4)) == [1, 2, 3, 255])
        copy = nil
    }

    @Test func hexTextHasAlphaFirst() {
        #expect("\(Color(red: 255, green: 0, blue: 0, alpha: 128))" == "#80ff0000")
    }
}
