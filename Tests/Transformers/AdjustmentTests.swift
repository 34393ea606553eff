import DarkroomCore
import DarkroomTransformers
import TestSupport
import Testing

struct AdjustmentTests {
    private static let levels: [UInt8] = [0, 1, 60, 127, 128, 201, 254, 255]

    private let grid = Bitmap(64, 9, hasAlpha: true) { x, y in
        Color(
            red: levels[x % 8], green: levels[x / 8], blue: y == 8 ? 33 : levels[y],
            alpha: y == 8 ? 0 : [1, 127, 254, 255][y % 4])
    }

    private func adjust(
        _ bitmap: Bitmap, brightness: Double = 0, contrast: Double = 1, saturation: Double = 1
    ) throws -> Bitmap {
        try Adjustment(brightness: brightness, contrast: contrast, saturation: saturation)
            .transform(bitmap, for: TransformRequest())
    }

    @Test func identifierNamesTheNumbers() {
        let adjustment = Adjustment(brightness: 0.1, contrast: 1, saturation: 1.5)
        #expect(adjustment.identifier == "Adjustment(0.100000,1.000000,1.500000)")
    }

    @Test(
        arguments: [
            (0.2, 1.0, 1.0), (-0.3, 1, 1), (0, 1.7, 1), (0, 0, 1), (0, 1, 2.5), (0, 1, 0), (0.1, 1.3, 0.4), (-1, 9, 5),
        ])
    func eachPixelFollowsTheFormulas(brightness: Double, contrast: Double, saturation: Double) throws {
        let adjusted = try adjust(grid, brightness: brightness, contrast: contrast, saturation: saturation)
        #expect(adjusted.hasAlpha)
        for (pixel, got) in zip(
            grid.colors(in: PixelRectangle(grid.size))!, adjusted.colors(in: PixelRectangle(grid.size))!)
        {
            #expect(got.alpha == pixel.alpha)
            guard pixel.alpha > 0 else {
                #expect(got.description == "#00000000")
                continue
            }
            let bright = pixel.components + brightness
            let hard = (bright - 0.5) * contrast + 0.5
            let luma = hard.x * 0.2126 + hard.y * 0.7152 + hard.z * 0.0722
            let expected = (hard - luma) * saturation + luma
            for (value, right) in zip([got.red, got.green, got.blue], [expected.x, expected.y, expected.z]) {
                #expect(abs(Double(value) - min(max(right, 0), 1) * 255) <= 0.501)
            }
        }
    }

    @Test func greysStayGreyAtAnySaturation() throws {
        let greys = Bitmap(256, 1) { x, _ in Color(red: UInt8(x), green: UInt8(x), blue: UInt8(x)) }
        for saturation in [0, 0.5, 3] { #expect(try adjust(greys, saturation: saturation) == greys) }
    }

    @Test func neutralValuesChangeNothing() throws {
        #expect(try adjust(grid).isIdentical(to: grid))
    }

    @Test(arguments: [-2, 1.5, 1e300, .infinity, -.infinity, .nan])
    func outOfRangeNumbersAreErrors(number: Double) {
        let grid = grid
        func expectError(_ name: String, _ body: () throws -> Bitmap) {
            let error = #expect(throws: ImageError.self) { try body() }
            #expect(error?.kind == .unsupported)
            #expect(error?.message.contains(name) == true)
        }
        expectError("brightness") { try adjust(grid, brightness: number) }
        guard number != 1.5 else { return }
        expectError("contrast") { try adjust(grid, contrast: number) }
        expectError("saturation") { try adjust(grid, saturation: number) }
    }
}
