import DarkroomCore
import DarkroomTransformers
import TestSupport
import Testing

struct FilterTests {
    private let values = Bitmap(256, 1) { x, _ in
        Color(red: UInt8(x), green: UInt8(255 - x), blue: UInt8(x * 7 % 256))
    }

    private func apply(_ filter: Filter, _ bitmap: Bitmap) throws -> Bitmap {
        try filter.transform(bitmap, for: TransformRequest())
    }

    @Test func identifierIsTheName() {
        #expect(Filter.colorInvert.identifier == "Filter(CIColorInvert)")
        #expect(Filter.filter("warm") { $0 }.identifier == "Filter(warm)")
    }

    @Test func invertingIsDoneInLinearLight() throws {
        let inverted = try apply(
            .colorInvert,
            Bitmap(3, 1) { x, _ in
                let value: UInt8 = [0, 151, 255][x]
                return Color(red: value, green: value, blue: value)
            })
        #expect(inverted.color(x: 0, y: 0) == .white)
        #expect(abs(Double(try #require(inverted.color(x: 1, y: 0)).green) / 255 - 0.85) < 0.01)
        #expect(inverted.color(x: 2, y: 0) == Color(red: 0, green: 0, blue: 0))
        #expect(!inverted.hasAlpha)
    }

    @Test func identityFilterChangesNothing() throws {
        #expect(try apply(Filter("same") { $0 }, values) == values)
        let clear = Bitmap(256, 1, hasAlpha: true) { x, _ in Color(red: 9, green: 99, blue: 200, alpha: UInt8(x)) }
        #expect(try apply(Filter("same") { $0 }, clear) == clear)
    }

    @Test func alphaIsUntouchedUnlessTheFilterChangesIt() throws {
        let half = Bitmap(2, 1, hasAlpha: true) { x, _ in Color(red: 0, green: 0, blue: 0, alpha: x == 0 ? 128 : 0) }
        let inverted = try apply(.colorInvert, half)
        #expect(inverted.color(x: 0, y: 0) == Color(red: 255, green: 255, blue: 255, alpha: 128))
        #expect(inverted.color(x: 1, y: 0)?.description == "#00000000")
        let faded = try apply(Filter("fade") { SIMD4($0.x, $0.y, $0.z, $0.w * 0.5) }, values)
        #expect(faded.hasAlpha)
        #expect(faded.color(x: 255, y: 0) == Color(red: 255, green: 0, blue: 249, alpha: 128))
    }

    @Test func channelsKeepTheirPlaces() throws {
        let turned = try apply(Filter("turn") { SIMD4($0.y, $0.z, $0.x, $0.w) }, values)
        for x in 0..<256 {
            let (color, got) = (values.color(x: x, y: 0)!, turned.color(x: x, y: 0)!)
            #expect(got == Color(red: color.green, green: color.blue, blue: color.red))
        }
    }

    @Test func outOfRangeValuesAreClamped() throws {
        let wild = try apply(Filter("wild") { _ in SIMD4(.nan, .infinity, -.infinity, 1e30) }, values)
        #expect(wild.color(x: 3, y: 0) == Color(red: 0, green: 255, blue: 0))
        let gone = try apply(Filter("gone") { _ in SIMD4(1, 1, 1, .nan) }, values)
        #expect(gone.hasAlpha)
        #expect(gone.color(x: 3, y: 0)?.description == "#00000000")
    }
}
