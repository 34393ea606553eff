import DarkroomCore
import DarkroomTransformers
import TestSupport
import Testing

struct TintTests {
    private static let blue = Color(red: 0, green: 0, blue: 255)
    private static let alphas: [UInt8] = [0, 1, 127, 254, 255]

    /// An image with a row for each alpha and a column for each of many colours.
    private static func grid(hasAlpha: Bool) -> Bitmap {
        let levels: [UInt8] = [0, 1, 64, 200, 255]
        return Bitmap(125, hasAlpha ? alphas.count : 1, hasAlpha: hasAlpha) { x, y in
            Color(
                red: levels[x % 5], green: levels[x / 5 % 5], blue: levels[x / 25],
                alpha: hasAlpha ? alphas[y] : 255)
        }
    }

    private func tint(_ bitmap: Bitmap, _ color: Color, _ mode: BlendMode = .sourceIn) throws -> Bitmap {
        try Tint(color, mode: mode).transform(bitmap, for: TransformRequest())
    }

    @Test func rawValuesMatchCoreGraphics() {
        #expect(BlendMode.allCases.map(\.rawValue) == Array(0..<28))
        #expect(BlendMode.colorBurn.rawValue == 7)
        #expect(BlendMode.luminosity.rawValue == 15)
        #expect(BlendMode.sourceIn.rawValue == 18)
        #expect(BlendMode.xor.rawValue == 25)
    }

    @Test func identifierNamesColorAndMode() {
        #expect(Tint(Self.blue).identifier == "Tint(#ff0000ff,18)")
        #expect(Tint(Color("#80ff0000")!, mode: .multiply).identifier == "Tint(#80ff0000,1)")
    }

    @Test(arguments: BlendMode.allCases, alphas.dropFirst())
    func everyModeIsWithinOneLevelOfTheReferenceFormula(mode: BlendMode, alpha: UInt8) throws {
        let judge = SlowBlending(mode: mode)
        for hasAlpha in [false, true] {
            let grid = Self.grid(hasAlpha: hasAlpha)
            let colors = grid.colors(in: PixelRectangle(grid.size))!
            for (red, green, blue) in [(255, 0, 128), (127, 64, 200), (0, 0, 0)] {
                let color = Color(red: UInt8(red), green: UInt8(green), blue: UInt8(blue), alpha: alpha)
                let tinted = try tint(grid, color, mode)
                var worst = 0.0
                for (below, got) in zip(colors, tinted.colors(in: PixelRectangle(grid.size))!) {
                    // Transparent pixels are black.
                    let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
                    let expected = judge.mixed(color, on: below.alpha == 0 ? clear : below)
                    let premultiplied = [got.red, got.green, got.blue].map { Double($0) * Double(got.alpha) / 255 }
                    for (one, other) in zip(premultiplied + [Double(got.alpha)], expected) {
                        worst = max(worst, abs(one - other * 255))
                    }
                }
                #expect(worst < 1.001, "\(color)")
                let isOpaque = tinted.colors(in: PixelRectangle(grid.size))!.allSatisfy { $0.alpha == 255 }
                #expect(tinted.hasAlpha == !isOpaque)
            }
        }
    }

    @Test func sourceInPreservesAlpha() throws {
        let picture = Bitmap(3, 1, hasAlpha: true) { x, _ in
            Color(red: 9, green: 200, blue: 9, alpha: [0, 128, 255][x])
        }
        let tinted = try tint(picture, Self.blue)
        #expect(
            tinted.colors(in: PixelRectangle(tinted.size))?.map(\.description) == [
                "#00000000", "#800000ff", "#ff0000ff",
            ])
    }

    @Test func copyAndNormalPaintTransparentPartsToo() throws {
        let clear = Bitmap(9, 2, hasAlpha: true) { _, _ in Color(red: 0, green: 0, blue: 0, alpha: 0) }
        for mode in [BlendMode.normal, .copy, .hue, .multiply, .destinationOver] {
            let tinted = try tint(clear, Self.blue, mode)
            #expect(tinted == Bitmap(9, 2) { _, _ in Self.blue })
        }
    }

    @Test func transparentColorChangesNothing() throws {
        let picture = Self.grid(hasAlpha: true)
        let color = Color(red: 255, green: 0, blue: 0, alpha: 0)
        for mode in BlendMode.allCases {
            #expect(try tint(picture, color, mode).isIdentical(to: picture))
        }
    }

    @Test func pixelsStayWhereTheyAre() throws {
        let picture = Bitmap(11, 3) { x, y in x == 9 && y == 0 ? .white : Color(red: 0, green: 0, blue: 0) }
        let grey = Color(red: 100, green: 100, blue: 100)
        for mode in [BlendMode.multiply, .color] {
            #expect(try tint(picture, grey, mode).color(x: 9, y: 0) != tint(picture, grey, mode).color(x: 8, y: 0))
            #expect(try tint(picture, grey, mode).color(x: 9, y: 2) == tint(picture, grey, mode).color(x: 8, y: 0))
        }
    }
}
