import DarkroomCore
import TestSupport
import Testing

struct OrientationTests {
    /// The position in the upright image of the stored pixel (x, y) of a W×H image.
    @Test(arguments: Orientation.allCases)
    func everyPixelMovesAccordingToTheTable(orientation: Orientation) {
        let (width, height) = (5, 3)
        let stored = Bitmap(width, height) { x, y in Color(red: UInt8(x), green: UInt8(y), blue: 0) }
        let upright = stored.upright(from: orientation)
        #expect(upright.size == orientation.applied(to: stored.size))
        for y in 0..<height {
            for x in 0..<width {
                let target =
                    switch orientation {
                    case .up: (x, y)
                    case .upMirrored: (width - 1 - x, y)
                    case .down: (width - 1 - x, height - 1 - y)
                    case .downMirrored: (x, height - 1 - y)
                    case .leftMirrored: (y, x)
                    case .right: (height - 1 - y, x)
                    case .rightMirrored: (height - 1 - y, width - 1 - x)
                    case .left: (y, width - 1 - x)
                    }
                #expect(upright.color(x: target.0, y: target.1) == stored.color(x: x, y: y))
            }
        }
    }

    @Test func unknownOrientationsCountAsUpright() {
        #expect(Orientation(tag: 0) == .up)
        #expect(Orientation(tag: 9) == .up)
    }
}
