import Darkroom
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// An option of an encoder must reach all frames of an animation, not only the first one.
@Suite(.bounded)
struct FrameOptionTests {
    private let coders = CoderRegistry.standard

    @Test(arguments: ContextOption.ofFiles, [ImageFormat.png, .gif, .webp])
    func optionOfTheFirstFrameIsThatOfTheLast(_ option: ContextOption, _ format: ImageFormat) throws {
        guard try isEffective(option, format) else { return }
        #expect(try lastFrame(format, .init()) != lastFrame(format, option.context))
    }

    @Test(arguments: ContextOption.ofWebP) func optionOfWebPIsThatOfTheLastFrame(_ option: ContextOption) throws {
        try optionOfTheFirstFrameIsThatOfTheLast(option, .webp)
    }

    @Test func optionsAreEffective() throws {
        let options = Dictionary(
            uniqueKeysWithValues: (ContextOption.ofFiles + ContextOption.ofWebP).map { ($0.name, $0) })
        for (name, format) in [
            ("pngCompressionLevel", ImageFormat.png), ("gifDithering", .gif), ("quality", .webp),
            ("encodedByteLimit", .webp), ("webPOptions", .webp), ("webPOptions.alphaQuality", .webp),
            ("webPOptions.method", .webp), ("encodedSizeLimit", .png),
        ] {
            #expect(try isEffective(try #require(options[name]), format), "\(name)")
        }
    }

    @Test func everyOptionOfWebPIsTested() {
        let labels = Mirror(reflecting: WebPOptions()).children.compactMap(\.label)
        let tested = ContextOption.ofWebP.map { String($0.name.dropFirst("webPOptions.".count)) }
        #expect(Set(labels).subtracting(tested + ["isLossless"]).isEmpty, "add these to ContextOption.ofWebP")
    }

    /// Returns whether the option changes the file of a still.
    private func isEffective(_ option: ContextOption, _ format: ImageFormat) throws -> Bool {
        func still(_ context: ImageContext) throws -> Data {
            var context = context
            context.usesFirstFrameOnly = true
            return try file(format, context)
        }
        return try still(.init()) != still(option.context)
    }

    /// Returns the file from the start of its last frame.
    private func lastFrame(_ format: ImageFormat, _ context: ImageContext) throws -> Data {
        let data = try file(format, context)
        let marker: Data =
            switch format {
            case .png: Data("fdAT".utf8)
            case .webp: Data("ANMF".utf8)
            default: Data([0x21, 0xF9, 4])
            }
        return data[try #require(data.ranges(of: marker).last).lowerBound...]
    }

    private func file(_ format: ImageFormat, _ context: ImageContext) throws -> Data {
        let frames = [1, 2, 1].map { Frame(Self.bitmap($0), duration: .milliseconds(100)) }
        return try coders.encode(try #require(Image(frames: frames)), as: format, context: context)
    }

    /// Returns a gradient with noise. Those of two numbers differ in all pixels.
    private static func bitmap(_ number: Int) -> Bitmap {
        var random = SeededGenerator(seed: number)
        let noise = (0..<1024).map { _ in Int.random(in: 0..<24, using: &random) }
        return Bitmap(32, 32, hasAlpha: true) { x, y in
            let level = noise[y * 32 + x]
            return Color(
                red: UInt8((x * 4 + level + 64 * number) % 256), green: UInt8((y * 4 + level) % 256),
                blue: UInt8((x + y + 2 * level) % 256), alpha: UInt8(255 - x - level))
        }
    }
}

extension ContextOption {
    /// Those of libwebp.
    static let ofWebP: [ContextOption] = {
        func option<Value: Equatable & Sendable>(
            _ name: String, _ path: any WritableKeyPath<WebPOptions, Value> & Sendable, _ value: Value
        ) -> ContextOption {
            .init(
                "webPOptions.\(name)", .file, { $0.webPOptions[keyPath: path] = value },
                isSet: { $0.webPOptions[keyPath: path] == value })
        }
        return [
            option("method", \.method, 0), option("pass", \.pass, 2), option("preprocessing", \.preprocessing, 1),
            option("threadLevel", \.threadLevel, 0), option("savesMemory", \.savesMemory, true),
            option("segments", \.segments, 1), option("snsStrength", \.snsStrength, 0),
            option("filterStrength", \.filterStrength, 0), option("filterSharpness", \.filterSharpness, 7),
            option("filterType", \.filterType, 0), option("choosesFilterStrength", \.choosesFilterStrength, true),
            option("compressesAlpha", \.compressesAlpha, false), option("alphaFiltering", \.alphaFiltering, 0),
            option("alphaQuality", \.alphaQuality, 10), option("partitions", \.partitions, 3),
            option("partitionLimit", \.partitionLimit, 100), option("usesSharpYUV", \.usesSharpYUV, true),
            option("nearLosslessLevel", \.nearLosslessLevel, 40),
            .init(
                "webPOptions.targetPSNR", .file,
                {
                    $0.webPOptions.pass = 4
                    $0.webPOptions.targetPSNR = 30
                }, isSet: { $0.webPOptions.targetPSNR == 30 }),
        ]
    }()
}
