import DarkroomCore
import DarkroomTransformers
import Foundation
import TestSupport
import Testing

struct RotationTests {
    private let picture = Bitmap.noise(6, 4)

    @Test(arguments: [0, 1e-9, -1e-9])
    func rightAnglesMovePixels(error: Double) throws {
        let left = try picture.after(.rotate(radians: .pi / 2 + error))
        #expect(left == Bitmap(4, 6) { x, y in picture.color(x: 5 - y, y: x)! })
        let down = try picture.after(.rotate(radians: .pi + error))
        #expect(down == Bitmap(6, 4) { x, y in picture.color(x: 5 - x, y: 3 - y)! })
        let right = try picture.after(.rotate(radians: -.pi / 2 + error))
        #expect(right == Bitmap(4, 6) { x, y in picture.color(x: y, y: 3 - x)! })
        #expect(try picture.after(.rotate(radians: 4 * .pi + error)) == picture)
        #expect(try picture.after(.rotate(radians: 2.5 * .pi + error)) == left)
        #expect(try picture.after(.rotate(radians: 1.5 * .pi + error)) == right)
    }

    @Test func rightAnglesAtTheSameSizeCropTheCorners() throws {
        let turned = try picture.after(.rotate(radians: .pi / 2, fitsSize: false))
        #expect(
            turned
                == Bitmap(6, 4, hasAlpha: true) { x, y in
                    (1..<5).contains(x) ? picture.color(x: 5 - (y + 1), y: x - 1)! : .clear
                })
        #expect(try picture.after(.rotate(radians: .pi, fitsSize: false)) == picture.after(.rotate(radians: .pi)))
    }

    @Test(arguments: [
        (100.0, 100.0, Double.pi / 4, PixelSize(142, 142)), (200, 100, Double.pi / 2, PixelSize(100, 200)),
        (200, 100, Double.pi / 6, PixelSize(224, 187)), (1, 1, Double.pi / 4, PixelSize(2, 2)),
    ])
    func theCanvasIsTheBoundingBox(width: Double, height: Double, radians: Double, size: PixelSize) throws {
        let white = Bitmap(Int(width), Int(height)) { _, _ in .white }
        #expect(try white.after(.rotate(radians: radians)).size == size)
        #expect(try white.after(.rotate(radians: radians, fitsSize: false)).size == white.size)
    }

    @Test func rotationIsCounterclockwise() throws {
        // At 45°, a red right edge ends up at the upper right.
        let edge = Bitmap(40, 40) { x, _ in x < 30 ? .white : .pureRed }
        let turned = try edge.after(.rotate(radians: .pi / 4))
        #expect(turned.size == PixelSize(57, 57))
        #expect(turned.color(x: 28 + 12, y: 28 - 12) == .pureRed)
        #expect(turned.color(x: 28 - 12, y: 28 + 12) == .white)
        #expect(turned.color(x: 28, y: 28) == .white)
        #expect(turned.color(x: 0, y: 0) == .clear)
        #expect(turned.color(x: 56, y: 56) == .clear)
    }

    /// A straightforward reference in double precision: rotates the centre of each pixel back, and weights 4×4 pixels
    /// by the cubic kernel.
    private func reference(_ bitmap: Bitmap, _ radians: Double, _ size: PixelSize) -> Bitmap {
        Bitmap(size.width, size.height, hasAlpha: true) { x, y in
            let (dx, dy) = (Double(x) + 0.5 - Double(size.width) / 2, Double(y) + 0.5 - Double(size.height) / 2)
            let u = dx * cos(radians) - dy * sin(radians) + Double(bitmap.size.width) / 2
            let v = dx * sin(radians) + dy * cos(radians) + Double(bitmap.size.height) / 2
            func cover(_ value: Double, _ length: Int) -> Double {
                max(0, min(1, value + 0.5, Double(length) - value + 0.5))
            }
            let coverage = cover(u, bitmap.size.width) * cover(v, bitmap.size.height)
            guard coverage > 0 else { return .clear }
            var sum = SIMD4<Double>.zero
            for row in (Int(floor(v - 0.5)) - 1)...(Int(floor(v - 0.5)) + 2) {
                for column in (Int(floor(u - 0.5)) - 1)...(Int(floor(u - 0.5)) + 2) {
                    let color = bitmap.color(
                        x: min(max(column, 0), bitmap.size.width - 1), y: min(max(row, 0), bitmap.size.height - 1))!
                    sum +=
                        color.premultiplied * Self.cubic(u - 0.5 - Double(column)) * Self.cubic(v - 0.5 - Double(row))
                }
            }
            return Color(premultiplied: sum, coverage: coverage)
        }
    }

    /// The Catmull-Rom kernel.
    private static func cubic(_ distance: Double) -> Double {
        let x = distance.magnitude
        return x < 1 ? 1.5 * x * x * x - 2.5 * x * x + 1 : x < 2 ? -0.5 * x * x * x + 2.5 * x * x - 4 * x + 2 : 0
    }

    @Test(arguments: [0.3, -1, 2.5, 3.5, 1e-3], [false, true])
    func pixelsMatchTheReferenceImplementation(radians: Double, hasAlpha: Bool) throws {
        for size in [PixelSize(23, 14), PixelSize(3, 2), PixelSize(1, 1), PixelSize(1, 30)] {
            let picture = Bitmap.noise(size.width, size.height, hasAlpha: hasAlpha)
            for fitsSize in [false, true] {
                let turned = try picture.after(.rotate(radians: radians, fitsSize: fitsSize))
                #expect(turned.isPremultipliedWithin(1.01, of: reference(picture, radians, turned.size)), "\(size)")
            }
        }
    }

    @Test func uniformColorStaysExactAndTheMiddleOpaque() throws {
        let color = Color(red: 200, green: 100, blue: 50)
        let turned = try Bitmap(40, 40) { _, _ in color }.after(.rotate(radians: 0.5))
        let pixels = (0..<turned.size.height).flatMap { y in (0..<turned.size.width).map { turned.color(x: $0, y: y)! }
        }
        #expect(pixels.allSatisfy { $0.alpha == 0 || ($0.red, $0.green, $0.blue) == (200, 100, 50) })
        // The covered area equals that of the image.
        let area = pixels.reduce(0) { $0 + Double($1.alpha) / 255 }
        #expect(abs(area - 1600) < 4)
    }

    @Test func identifiersHaveTheDocumentedForm() {
        #expect(Rotation(radians: .pi / 4, fitsSize: true).identifier == "Rotation(0.785398,1)")
        #expect(Rotation(radians: .pi / 4, fitsSize: false).identifier == "Rotation(0.785398,0)")
    }

    @Test func invalidAnglesAreErrors() throws {
        for radians in [Double.nan, .infinity, -.infinity] {
            expectUnsupported(
                .rotate(radians: radians), saying: "the angle to rotate by is \(radians), but must be a finite")
        }
        #expect(try picture.after(.rotate(radians: 1e300, fitsSize: false)).size == picture.size)
    }
}
