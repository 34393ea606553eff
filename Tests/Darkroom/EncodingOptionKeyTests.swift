import Darkroom
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Encoded results are cached, so files of different encoding options need different keys.
@Suite(.bounded)
struct EncodingOptionKeyTests {
    private static let contexts: [ImageContext] = {
        var contexts = [
            ImageContext(), ImageContext { $0.quality = 0.5 }, ImageContext { $0.background = .white },
            ImageContext { $0.encodedByteLimit = 5000 }, ImageContext { $0.encodedSizeLimit = PixelSize(4, 4) },
            ImageContext { $0.keepsMetadata = true }, ImageContext { $0.pngCompressionLevel = 9 },
            ImageContext { $0.writesProgressiveJPEG = true },
            ImageContext { $0.keptMetadata = .copyright }, ImageContext { $0.keptMetadata = [.copyright, .exif] },
            ImageContext { $0.keptMetadata = .all.subtracting(.location) }, ImageContext { $0.optimizesJPEG = true },
            ImageContext { $0.optimizesJPEG = false },
            ImageContext { $0.gifDithering = 0 },
            ImageContext { $0.gifDithering = 0.5 }, ImageContext { $0.gifColorCount = 16 },
            ImageContext { $0.gifFrameTolerance = 4 }, ImageContext { $0.pngColorCount = 16 },
            ImageContext { $0.pngDithering = 0 },
        ]
        for subsampling in JPEGSubsampling.allCases where subsampling != .automatic {
            contexts.append(ImageContext { $0.jpegSubsampling = subsampling })
        }
        for level in [0, 60, 100] { contexts.append(ImageContext { $0.webPOptions.nearLosslessLevel = level }) }
        let flags: [WritableKeyPath<WebPOptions, Bool>] = [
            \.isLossless, \.savesMemory, \.choosesFilterStrength, \.compressesAlpha,
        ]
        for flag in flags { contexts.append(ImageContext { $0.webPOptions[keyPath: flag].toggle() }) }
        let numbers: [WritableKeyPath<WebPOptions, Int>] = [
            \.method, \.preprocessing, \.segments, \.snsStrength, \.filterStrength, \.filterSharpness, \.filterType,
            \.alphaFiltering, \.alphaQuality, \.partitions, \.partitionLimit,
        ]
        for number in numbers {
            contexts.append(
                ImageContext { $0.webPOptions[keyPath: number] += $0.webPOptions[keyPath: number] == 0 ? 1 : -1 })
        }
        contexts.append(ImageContext { $0.webPOptions.pass = 2 })
        for usesSharpYUV in [true, false] {
            contexts.append(ImageContext { $0.webPOptions.usesSharpYUV = usesSharpYUV })
        }
        contexts.append(ImageContext { $0.encoderQuality = 50 })
        contexts += [VisualQuality.high, .score(80.5)].map { target in ImageContext { $0.visualTarget = target } }
        contexts.append(
            ImageContext {
                $0.webPOptions.pass = 2
                $0.webPOptions.targetPSNR = 40
            })
        return contexts
    }()

    /// A new option belongs in the contexts above, and in the fragment of its key.
    @Test func everyOptionOfWebPIsTested() {
        let properties = Mirror(reflecting: WebPOptions()).children.compactMap(\.label)
        let options = Self.contexts.map(\.webPOptions) + [ImageContext { $0.webPOptions.threadLevel = 0 }.webPOptions]
        for property in properties {
            let values = options.map { options in
                Mirror(reflecting: options).children.first { $0.label == property }.map { "\($0.value)" }
            }
            #expect(Set(values).count > 1, "\(property) has only one value")
        }
    }

    @Test func everyOptionThatAffectsTheFileIsInItsKey() async throws {
        let url = try #require(URL(string: "http://example.com/a.png"))
        let manager = try ImageManager {
            $0.install(StandardPlugins())
            $0.install(FakeLoader(Fixture("png-5x2.png").data))
        }
        var keys: Set<CacheKey> = []
        for context in Self.contexts {
            let key = try await manager.encoded(url, context: context, as: .webp).key
            #expect(keys.insert(try #require(key)).inserted, "\(String(describing: key)) belongs to two files")
        }
        let threads = ImageContext { $0.webPOptions.threadLevel = 0 }
        let key = try await manager.encoded(url, context: threads, as: .webp).key
        #expect(!keys.insert(try #require(key)).inserted, "the file is the same")
    }
}
