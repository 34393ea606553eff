import DarkroomCore
import DarkroomTestKit
import DarkroomTransformers
import TestSupport
import Testing

struct ConstantColorTests {
    private static let transformers: [any ImageTransformer] = [
        .rotate(radians: 0.3), .rotate(radians: 2, fitsSize: false), .blur(radius: 2), .blur(radius: 7),
        .blur(radius: 5, inLinearLight: true), .resize(31, 17), .resize(5, 90), .resize(44, 44, .fit),
        .resize(33, 20, inLinearLight: true), .resize(7, 4, .cover, inLinearLight: true),
        .sharpen(amount: 3, radius: 2),
    ]

    @Test(arguments: transformers.indices, 0..<8)
    func transparentNeighboursDoNotChangeAColor(index: Int, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func side() -> Int { Int.random(in: 1...48, using: &random) }
        let picture = ConstantColor(PixelSize(side(), side()), isBinary: seed % 2 == 0, &random)
        let transformer = Self.transformers[index]
        let change = picture.largestChange(in: try picture.bitmap.after(transformer))
        #expect(change <= 1, "\(picture.bitmap.size) after \(transformer.identifier)")
    }
}
