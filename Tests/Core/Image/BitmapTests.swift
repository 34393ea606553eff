import DarkroomCore
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

    @Test func hexTextHasAlphaFirst() {
        #expect("\(Color(red: 255, green: 0, blue: 0, alpha: 128))" == "#80ff0000")
    }
}
