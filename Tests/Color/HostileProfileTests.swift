import DarkroomColor
import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct HostileProfileTests {
    private let converter = LittleCMSConverter()

    private static let profiles: [(ImageInfo.ColorModel, ProfileBuilder)] = [
        (.rgb, .displayP3), (.gray, .gray(curve: ProfileBuilder.gamma(1.8))),
        (
            .cmyk,
            .cmyk { cyan, magenta, yellow, black in black ? [0, 128, 128] : [200, cyan ? 9 : 99, yellow ? 9 : 99] }
        ),
    ]

    private func convert(_ model: ImageInfo.ColorModel, _ profile: Data) throws -> [UInt8] {
        var info = ImageInfo(format: .png, storedSize: PixelSize(1, 1))
        info.colorModel = model
        info.iccProfile = profile
        var pixels: [UInt8] = [1, 1, 1, 4, 200, 200, 200, 100]
        guard var conversion = try converter.makeRowConversion(for: info) else { return pixels }
        var span = pixels.mutableSpan
        conversion.convert(&span)
        return pixels
    }

    @Test(arguments: profiles.indices, 0..<8)
    func damagedProfilesEndInAnErrorOrInPixels(index: Int, seed: Int) {
        let (model, profile) = Self.profiles[index]
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<(model == .cmyk ? 4 : 25) {
            var bytes = profile.data
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                // Damage to the header and the tag table has the largest effect.
                let end = Bool.random(using: &random) ? min(240, bytes.count) : bytes.count
                bytes[Int.random(in: 0..<end, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try? convert(model, bytes)
        }
    }

    /// Little CMS would read and evaluate as many copies of the element as the table declares.
    @Test func elementReferencedManyTimesIsCheap() throws {
        let elementCount = 20_000
        let matrix: [Float] = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]
        let element = ProfileBuilder.tag(
            "matf", [0, 3, 0, 3] + matrix.flatMap { ProfileBuilder.bigEndian($0.bitPattern) })
        let place =
            ProfileBuilder.bigEndian(UInt32(16 + elementCount * 8)) + ProfileBuilder.bigEndian(UInt32(element.count))
        let places = (0..<elementCount).flatMap { _ in place }
        let content = [0, 3, 0, 3] + ProfileBuilder.bigEndian(UInt32(elementCount)) + places + element
        var profile = ProfileBuilder.displayP3
        for name in ["D2B0", "D2B1", "D2B3"] { profile.add(name, ProfileBuilder.tag("mpet", content)) }
        let pixels = try convert(.rgb, profile.data)
        #expect(pixels == (try convert(.rgb, ProfileBuilder.displayP3.data)))
    }
}
