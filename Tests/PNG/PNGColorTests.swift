import DarkroomCore
import DarkroomPNG
import FoundationEssentials
import TestSupport
import Testing

struct PNGColorTests {
    private static let wide = [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000]
    private static let standard = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000]

    @Test func gammaAndPrimariesAreReported() throws {
        let calibration = try #require(try calibration(gamma: 55_556, Self.wide))
        #expect(abs(calibration.exponent - 1.8) < 0.0001)
        #expect(calibration.red == Calibration.Chromaticity(x: 0.68, y: 0.32))
        #expect(calibration.blue == Calibration.Chromaticity(x: 0.15, y: 0.06))
        #expect(try self.calibration(gamma: 45_455, Self.wide)?.green == Calibration.Chromaticity(x: 0.265, y: 0.69))
    }

    @Test func gammaAloneImpliesSRGBPrimaries() throws {
        #expect(try calibration(gamma: 100_000, nil) == Calibration(exponent: 1))
        #expect(try calibration(gamma: 100_000, Self.standard)?.exponent == 1)
    }

    @Test(arguments: [nil, standard])
    func sRGBGammaMeansSRGB(_ points: [Int]?) throws {
        for gamma in [45_455, 45_400, 45_500] { #expect(try calibration(gamma: gamma, points) == nil) }
        #expect(try calibration(gamma: 46_000, points) != nil)
    }

    @Test func sRGBChunkTakesPrecedence() throws {
        #expect(try calibration(gamma: 55_556, Self.wide, others: [("sRGB", Data([0]))]) == nil)
    }

    @Test(arguments: [0, 1, 9_999, 1_000_001, 0xFFFF_FFFF])
    func implausibleGammaIsIgnored(_ gamma: Int) throws {
        #expect(try calibration(gamma: gamma, Self.wide) == nil)
    }

    @Test(arguments: [
        [31_270, 0, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000],
        [31_270, 32_900, 68_000, 32_001, 26_500, 69_000, 15_000, 6_000],
        [31_270, 32_900, 30_000, 30_000, 30_000, 30_000, 30_000, 30_000], Array(repeating: 0, count: 8),
    ])
    func implausiblePrimariesAreIgnored(_ points: [Int]) throws {
        #expect(try calibration(gamma: 55_556, points) == Calibration(exponent: 100_000 / 55_556.0))
        #expect(try calibration(gamma: 45_455, points) == nil)
    }

    @Test func primariesWithoutGammaAreIgnored() throws {
        #expect(try calibration(gamma: nil, Self.wide) == nil)
    }

    @Test func profileTakesPrecedence() throws {
        var data = Fixture("png-icc.png").data
        data.insert(contentsOf: AnimatedPNGBuilder.chunk("gAMA", Data(UInt32(55_556).bytes)), at: 33)
        let info = try PNGCoder().info(of: data)
        #expect(info.iccProfile != nil && info.calibration == nil)
    }

    @Test func unusableProfileIsNoted() throws {
        let registry = CoderRegistry([PNGCoder()])
        #expect(try registry.decode(Fixture("broken/png-bomb-icc.png").data).metadata.notes.count == 1)
        #expect(try registry.decode(Fixture("png-icc.png").data).metadata.notes.isEmpty)
    }

    private static let p3: [UInt8] = [12, 13, 0, 1]

    private func withChunks(_ chunks: [(String, Data)], _ name: String = "png-rgb-8.png") -> Data {
        var data = Fixture(name).data
        data.insert(contentsOf: chunks.map { AnimatedPNGBuilder.chunk($0.0, $0.1) }.reduce(Data(), +), at: 33)
        return data
    }

    @Test(.bug(id: "16.24"))
    func codePointsTakePrecedenceOverAllOtherInformation() throws {
        let gamma = ("gAMA", Data(UInt32(55_556).bytes))
        let plain = try #require(
            try PNGCoder().info(of: withChunks([("cICP", Data(Self.p3)), gamma, ("sRGB", Data([0]))])).calibration)
        #expect(plain.curve == .sRGB && plain.red == Calibration.Chromaticity(x: 0.68, y: 0.32))
        let other = try PNGCoder().info(of: withChunks([("cICP", Data(Self.p3))], "png-icc.png"))
        #expect(other.iccProfile == nil && other.calibration == plain)
        let wide = try PNGCoder().info(of: withChunks([("cICP", Data([9, 14, 0, 1]))])).calibration
        #expect(wide?.curve == .camera && wide?.green == Calibration.Chromaticity(x: 0.17, y: 0.797))
        #expect(try PNGCoder().info(of: withChunks([("cICP", Data([1, 13, 0, 1])), gamma])).calibration == nil)
        #expect(try PNGCoder().info(of: withChunks([("cICP", Data([1, 8, 0, 1]))])).calibration?.exponent == 1)
    }

    @Test(
        .bug(id: "16.24"),
        arguments: [
            ([9, 16, 0, 1], "PQ"), ([9, 18, 0, 1], "HLG"), ([12, 13, 0, 0], "narrow"), ([12, 13, 5, 1], "matrix 5"),
            ([2, 13, 0, 1], "primaries 2"), ([12, 255, 0, 1], "function 255"),
        ] as [([UInt8], String)])
    func unsupportedCodePointsAreNoted(_ points: [UInt8], _ reason: String) throws {
        let registry = CoderRegistry([PNGCoder()])
        let image = try registry.decode(withChunks([("cICP", Data(points))], "png-icc.png"))
        #expect(image.metadata.notes.count == 1 && image.metadata.notes[0].contains(reason))
        #expect(image.info.iccProfile != nil)
    }

    @Test(arguments: [Data(), Data([12, 13, 0]), Data([12, 13, 0, 1, 0])])
    func codePointsOfAnotherLengthAreIgnored(_ body: Data) throws {
        #expect(try PNGCoder().info(of: withChunks([("cICP", body)])).calibration == nil)
    }

    @Test(.bug(id: "16.24"), arguments: ["png-rgb-8.png", "png-gray-8.png"])
    func profileOfOtherColorsIsNotedAsSuch(_ name: String) throws {
        let gray = ProfileBuilder.gray(curve: ProfileBuilder.gamma(2.2)).data
        let profile = name == "png-rgb-8.png" ? gray : ProfileBuilder.adobeRGB.data
        let body = Data("x".utf8) + Data([0, 0]) + Data(AnimatedPNGBuilder.stored(Array(profile)))
        let notes = try CoderRegistry([PNGCoder()]).decode(withChunks([("iCCP", body)], name)).metadata.notes
        #expect(notes == ["the colour profile is ignored: it does not describe the colour model of the image"])
    }

    private func calibration(
        gamma: Int?, _ points: [Int]?, others: [(String, Data)] = []
    ) throws -> Calibration? {
        var chunks = others.map { AnimatedPNGBuilder.chunk($0.0, $0.1) }
        if let gamma { chunks.append(AnimatedPNGBuilder.chunk("gAMA", Data(UInt32(gamma).bytes))) }
        if let points {
            chunks.append(AnimatedPNGBuilder.chunk("cHRM", Data(points.flatMap { UInt32($0).bytes })))
        }
        var data = Fixture("png-rgb-8.png").data
        data.insert(contentsOf: chunks.reduce(Data(), +), at: 33)
        return try PNGCoder().info(of: data).calibration
    }
}
