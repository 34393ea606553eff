import DarkroomCore
import FoundationEssentials
import TestSupport
import Testing

struct OrientationTests {
    /// Where the stored pixel (x, y) of a W×H picture goes: the table of CT 13.
    @Test(arguments: Orientation.allCases)
    func everyPixelGoesWhereTheTableSays(orientation: Orientation) {
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

    private static let littleEndian: [UInt8] = [
        0x49, 0x49, 42, 0, 8, 0, 0, 0, 2, 0,
        0x0F, 0x01, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0,
        0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0,
    ]

    @Test func exifIsReadInBothByteOrders() {
        let bigEndian: [UInt8] = [
            0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 8, 0, 0,
        ]
        #expect(Exif(Data(Self.littleEndian)).orientation == .right)
        #expect(Exif(Data("Exif\0\0".utf8) + Self.littleEndian).orientation == .right)
        #expect(Exif(Data(bigEndian)).orientation == .left)
    }

    @Test func brokenExifCountsAsUpright() {
        for count in 0..<Self.littleEndian.count - 4 {
            #expect(Exif(Data(Self.littleEndian.prefix(count))).orientation == .up)
        }
        var far = Self.littleEndian
        far.replaceSubrange(4..<8, with: [255, 255, 255, 255])
        #expect(Exif(Data(far)).orientation == .up)
        #expect(Orientation(tag: 9) == .up)
    }
}
