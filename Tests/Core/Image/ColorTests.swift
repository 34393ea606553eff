import DarkroomCore
import TestSupport
import Testing

struct ColorTests {
    @Test(arguments: [
        ("#ff000000", Color(red: 0, green: 0, blue: 0)), ("#00000000", Color(red: 0, green: 0, blue: 0, alpha: 0)),
        ("#ffff0000", Color(red: 255, green: 0, blue: 0)), ("#80ff0000", Color(components: [1, 0, 0, 0.5])),
        ("#0a0b0c0d", Color(red: 11, green: 12, blue: 13, alpha: 10)),
    ])
    func hexTextHasAlphaFirst(text: String, color: Color) {
        #expect(color.description == text)
        #expect(Color(text) == color)
        #expect(Color(String(text.dropFirst()).uppercased()) == color)
    }

    @Test func shortHexTextIsOpaque() {
        #expect(Color("#1af") == Color(red: 0x11, green: 0xAA, blue: 0xFF))
        #expect(Color("fff") == .white)
        #expect(Color("#123456") == Color(red: 0x12, green: 0x34, blue: 0x56))
        #expect(Color("0FF0AB") == Color(red: 0x0F, green: 0xF0, blue: 0xAB))
    }

    @Test(arguments: [
        "", "#", "##fff", "#ff", "#ffff", "#fffff", "#fffffff", "#fffffffff", "#ggg", "red", "# fff", "fff#", "+ff",
        "-12345",
        "#é0", "#\u{FF11}\u{FF11}\u{FF11}", "#\u{0}\u{0}\u{0}", String(repeating: "f", count: 100_000),
    ])
    func otherTextIsNoColor(text: String) {
        #expect(Color(text) == nil)
    }

    @Test func componentsAreRoundedAndClamped() {
        #expect(Color(components: [-1, 2, .nan, .infinity]) == Color(red: 0, green: 255, blue: 0))
        #expect(Color(components: [0.5, 0.1, 1 / 510.0, 0]) == Color(red: 128, green: 26, blue: 1, alpha: 0))
        for value in UInt8.min...UInt8.max {
            let color = Color(red: value, green: 255 - value, blue: 0, alpha: value)
            #expect(Color(components: color.components) == color)
        }
    }

    @Test func pointBelongsToThePixelOfItsIntegerPart() {
        let bitmap = Bitmap(3, 2) { x, y in Color(red: UInt8(x), green: UInt8(y), blue: 0) }
        #expect(bitmap.color(at: [0, 0]) == bitmap.color(x: 0, y: 0))
        #expect(bitmap.color(at: [2.99, 1.5]) == Color(red: 2, green: 1, blue: 0))
        let outside: [SIMD2<Double>] = [
            [3, 0], [0, 2], [-0.5, 0], [0, -1], [.nan, 0], [0, .infinity], [1e300, 0],
        ]
        for point in outside { #expect(bitmap.color(at: point) == nil) }
    }

    @Test func colorsAreReturnedRowByRow() throws {
        let bitmap = Bitmap(4, 3) { x, y in Color(red: UInt8(x), green: UInt8(y), blue: 9) }
        let colors = try #require(bitmap.colors(in: PixelRectangle(x: 2, y: 1, width: 2, height: 2)))
        #expect(colors.map(\.red) == [2, 3, 2, 3])
        #expect(colors.map(\.green) == [1, 1, 2, 2])
        #expect(bitmap.colors(in: PixelRectangle(bitmap.size))?.count == 12)
    }

    @Test(arguments: [
        PixelRectangle(x: 0, y: 0, width: 0, height: 1), PixelRectangle(x: 0, y: 0, width: 1, height: -1),
        PixelRectangle(x: -1, y: 0, width: 2, height: 1), PixelRectangle(x: 0, y: -1, width: 1, height: 1),
        PixelRectangle(x: 3, y: 0, width: 2, height: 1), PixelRectangle(x: 0, y: 2, width: 1, height: 2),
        PixelRectangle(x: .max, y: 0, width: .max, height: 1), PixelRectangle(x: 4, y: 0, width: 1, height: 1),
    ])
    func areaBeyondTheImageHasNoColors(area: PixelRectangle) {
        #expect(Bitmap(4, 3) { _, _ in .white }.colors(in: area) == nil)
    }
}
