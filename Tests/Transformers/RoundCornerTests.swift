import DarkroomCore
import DarkroomTransformers
import TestSupport
import Testing

struct RoundCornerTests {
    private let white = Bitmap(10, 8) { _, _ in .white }

    @Test(arguments: [
        (
            RoundCorner(radius: 50, borderWidth: 1, borderColor: Color(red: 0, green: 0, blue: 0)),
            "RoundCorner(50.000000,18446744073709551615,1.000000,#ff000000)"
        ),
        (RoundCorner(radius: 8, corners: [.topLeft, .topRight]), "RoundCorner(8.000000,3,0.000000,(null))"),
        (
            RoundCorner(radius: 8, corners: [.topLeft, .topRight, .bottomLeft, .bottomRight]),
            "RoundCorner(8.000000,15,0.000000,(null))"
        ),
    ])
    func identifiersHaveTheDocumentedForm(transformer: RoundCorner, identifier: String) {
        #expect(transformer.identifier == identifier)
    }

    @Test func onlyTheRequestedCornersAreRounded() throws {
        let corners: [(RoundCorner.Corners, Int, Int)] = [
            (.topLeft, 0, 0), (.topRight, 9, 0), (.bottomLeft, 0, 7), (.bottomRight, 9, 7),
        ]
        for (corner, _, _) in corners {
            let round = try white.after(.roundCorner(radius: 4, corners: corner))
            for (other, x, y) in corners { #expect(round.color(x: x, y: y) == (other == corner ? .clear : .white)) }
        }
        let round = try white.after(.roundCorner(radius: 4))
        #expect(corners.allSatisfy { round.color(x: $0.1, y: $0.2) == .clear })
    }

    @Test func allButTheCornersIsUnchanged() throws {
        let picture = Bitmap.noise(20, 16)
        let round = try picture.after(.roundCorner(radius: 5))
        for y in 0..<16 {
            for x in 0..<20 where (5..<15).contains(x) || (5..<11).contains(y) {
                #expect(round.color(x: x, y: y) == picture.color(x: x, y: y))
            }
        }
    }

    /// Returns the coverage of each pixel in double precision: the share of 40×40 points that lie within the rounded
    /// rectangle.
    private func coverage(
        _ size: PixelSize, _ x: Int, _ y: Int, inset: Double, radius: Double, _ corners: RoundCorner.Corners
    ) -> Double {
        let (right, bottom) = (Double(size.width) - inset, Double(size.height) - inset)
        let radius = max(0, min(radius, (right - inset) / 2, (bottom - inset) / 2))
        func contains(_ px: Double, _ py: Double) -> Bool {
            guard px >= inset, py >= inset, px <= right, py <= bottom else { return false }
            let (dx, dy) = (inset + radius - min(px, inset + right - px), inset + radius - min(py, inset + bottom - py))
            guard dx > 0, dy > 0 else { return true }
            let (isLeft, isTop) = (px < (inset + right) / 2, py < (inset + bottom) / 2)
            let corner: RoundCorner.Corners =
                isTop ? (isLeft ? .topLeft : .topRight) : (isLeft ? .bottomLeft : .bottomRight)
            return !corners.contains(corner) || dx * dx + dy * dy <= radius * radius
        }
        let steps = (0..<40).map { (Double($0) + 0.5) / 40 }
        let hits = steps.reduce(0) { sum, v in
            sum + steps.reduce(0) { $0 + (contains(Double(x) + $1, Double(y) + v) ? 1 : 0) }
        }
        return Double(hits) / 1600
    }

    private static let shapes: [(radius: Double, corners: RoundCorner.Corners, border: Double)] = [
        (5, .all, 0), (3.3, [.topLeft, .bottomRight], 0), (100, .all, 0), (0.4, .all, 0), (4, .all, 1),
        (6, [.topRight], 1.3), (0, .all, 2.5), (3, .bottomLeft, 0.1),
    ]

    @Test(arguments: shapes)
    func coverageMatchesSupersampling(radius: Double, corners: RoundCorner.Corners, border: Double) throws {
        let size = PixelSize(13, 12)
        let picture = Bitmap(size.width, size.height) { _, _ in .white }
        let round = try picture.after(.roundCorner(radius: radius, corners: corners, borderWidth: border))
        for y in 0..<size.height {
            for x in 0..<size.width {
                let expected = coverage(size, x, y, inset: border, radius: radius, corners) * 255
                let alpha = try #require(round.color(x: x, y: y)?.alpha)
                #expect(abs(Double(alpha) - expected) <= 4, "(\(x), \(y))")
            }
        }
    }

    @Test func borderOfOneCoversTheSecondPixel() throws {
        let round = try white.after(
            .roundCorner(radius: 0, borderWidth: 1, borderColor: .pureRed))
        #expect(
            round
                == Bitmap(10, 8, hasAlpha: true) { x, y in
                    let distance = min(x, y, 9 - x, 7 - y)
                    return distance == 0 ? .clear : distance == 1 ? .pureRed : .white
                })
    }

    @Test func borderOfTwoBeginsInTheMiddleOfThePixel() throws {
        let round = try Bitmap(20, 20) { _, _ in .white }.after(
            .roundCorner(radius: 0, borderWidth: 2, borderColor: Color(red: 0, green: 0, blue: 0)))
        // The image starts at 2, and the border extends from 1.5 to 3.5.
        let gray = Color(red: 128, green: 128, blue: 128)
        let black = Color(red: 0, green: 0, blue: 0)
        let row = (0..<6).map { round.color(x: $0, y: 10) }
        #expect(row == [.clear, Color(red: 0, green: 0, blue: 0, alpha: 128), black, gray, .white, .white])
        #expect((0..<6).map { round.color(x: 10, y: $0) } == row)
        #expect((0..<6).map { round.color(x: 19 - $0, y: 10) } == row)
        #expect((0..<6).map { round.color(x: 10, y: 19 - $0) } == row)
    }

    @Test(arguments: [(6.0, 1.0), (9, 3), (2, 3), (0.5, 2), (4.5, 1.5)])
    func borderIsBetweenTwoShapes(radius: Double, width: Double) throws {
        let size = PixelSize(22, 18)
        let black = Color(red: 0, green: 0, blue: 0)
        let picture = Bitmap(size.width, size.height, hasAlpha: true) { _, _ in .clear }
        let round = try picture.after(.roundCorner(radius: radius, borderWidth: width, borderColor: black))
        let (middle, bend) = (width.rounded(.down) + 0.5, max(0, radius - 0.5))
        for y in 0..<size.height {
            for x in 0..<size.width where x < 11 && y < 9 || (x + y) % 5 == 0 {
                let outside = coverage(
                    size, x, y, inset: middle - width / 2, radius: bend > 0 ? bend + width / 2 : 0, .all)
                let inside = coverage(size, x, y, inset: middle + width / 2, radius: max(0, bend - width / 2), .all)
                let alpha = try #require(round.color(x: x, y: y)?.alpha)
                #expect(abs(Double(alpha) - (outside - inside) * 255) <= 6, "(\(x), \(y))")
            }
        }
    }

    @Test func imageThatIsAllBorderBecomesEmpty() throws {
        let empty = Bitmap(10, 8, hasAlpha: true) { _, _ in .clear }
        #expect(try white.after(.roundCorner(radius: 3, borderWidth: 4, borderColor: .pureRed)) == empty)
        #expect(try white.after(.roundCorner(radius: 3, borderWidth: 1e9)) == empty)
        #expect(try white.after(.roundCorner(radius: 3, borderWidth: 3.9, borderColor: .pureRed)) != empty)
    }

    @Test func withoutRadiusAndBorderNothingChanges() throws {
        #expect(try white.after(.roundCorner(radius: 0)).isIdentical(to: white))
        #expect(try white.after(.roundCorner(radius: 5, corners: [])).isIdentical(to: white))
    }

    @Test func colorAndAlphaOfTheImageArePreserved() throws {
        let glass = Color(red: 10, green: 200, blue: 30, alpha: 100)
        let round = try Bitmap(9, 9, hasAlpha: true) { _, _ in glass }.after(.roundCorner(radius: 4.5))
        #expect(round.color(x: 4, y: 4) == glass)
        for x in 0..<9 {
            let color = try #require(round.color(x: x, y: 1))
            #expect(color.alpha <= 100 && (color.alpha == 0 || color.green == 200))
        }
    }

    @Test func invalidNumbersAreErrors() {
        for (number, text) in [(-1.0, "-1.0"), (.nan, "nan"), (.infinity, "inf"), (1e10, "10000000000.0")] {
            expectUnsupported(
                .roundCorner(radius: number), saying: "radius of the corners is \(text), but must be 0 to")
            expectUnsupported(.roundCorner(radius: 1, borderWidth: number), saying: "width of the border is \(text)")
        }
    }
}
