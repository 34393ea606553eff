import Darkroom
@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// Runs, keys and lookups in memory depend on what each option affects. A new key that one of them does not know of is
/// found here, by its name.
@Suite(.bounded)
struct ContextOptionTests {
    private static let url = URL(string: "http://example.com/a.plain")!
    private static let bitmap = Bitmap(12, 8) { x, y in Color(red: UInt8(x * 20), green: UInt8(y * 30), blue: 99) }

    @Test func everyDeclaredKeyHasItsOption() throws {
        let names = ContextOption.all.compactMap(\.key?.name)
        #expect(names.count == ContextOption.all.count && Set(names).count == names.count, "each option has one key")
        let declared = try Self.declaredKeys()
        #expect(declared.count > 40)
        let forgotten = declared.subtracting(names).sorted()
        #expect(forgotten.isEmpty, "add options with these keys to ContextOption.all")
    }

    @Test(arguments: ContextOption.all) func requestsShareAllStepsThatTheOptionLeavesAlike(_ option: ContextOption)
        throws
    {
        let manager = try ImageManager { $0.install(StandardPlugins()) }
        let (plain, other) = (
            manager.request(for: Self.url, context: ImageContext()),
            manager.request(for: Self.url, context: option.context)
        )
        let step: ContextOption.Step =
            if plain.originalFlight() != other.originalFlight() {
                .transfer
            } else if plain.sizelessFlight != other.sizelessFlight {
                .image
            } else if plain.resultFlight() != other.resultFlight() {
                .result
            } else if EncodedRequest(plain).flight(in: .init()) != EncodedRequest(other).flight(in: .init()) {
                .file
            } else {
                .call
            }
        #expect(step == option.step, "the first step that is not shared")
    }

    /// Otherwise, files of different qualities would have one key.
    @Test func numbersForEncodersHaveTheDecimalsOfTheirKeys() {
        let (sum, third) = (0.1 + 0.2, 1.0 / 3)
        #expect(ImageContext { $0.quality = sum }.quality == 0.3)
        #expect(ImageContext { $0.encoderQuality = third }.encoderQuality == 0.333_333)
        #expect(ImageContext { $0.visualTarget = .score(200 / 3.0) }.visualTarget?.score == 66.666_667)
        #expect(ImageContext { $0.pngDithering = sum }.pngDithering == 0.3)
        #expect(ImageContext { $0.gifDithering = third }.gifDithering == 0.333_333)
        #expect(ImageContext { $0.webPOptions.targetPSNR = 40 + third }.webPOptions.targetPSNR == 40.333_333)
    }

    /// Otherwise, an image decoded with one value would be that of a request with another.
    @Test func decodersReadOnlyOptionsThatSeparateDecodes() throws {
        for name in try Self.decodedKeys() {
            let option = try #require(ContextOption.all.first { $0.key?.name == name }, "\(name)")
            // Decodes of different sizes are separate, too, unless one call asks for several.
            let isSeparate = option.step <= .image || option.name == "thumbnail"
            #expect(isSeparate || !option.isSet(option.context.forSharedDecode), "\(option.name) is read")
        }
    }

    /// A stored result has its own options already. Those that are no part of its key are those of the request.
    @Test func storedResultsAreDecodedWithTheOptionsThatAreNotInTheirKey() async throws {
        let decodedKeys = try Self.decodedKeys()
        for option in ContextOption.all where option.key?.effect == .nothing {
            let isRead = option.step == .image || option.key.map { decodedKeys.contains($0.name) } ?? false
            guard isRead, option.isSet(option.context.forSharedDecode) else { continue }
            let (contexts, data) = (Recorder<ImageContext>(), FakeDataCache())
            var context = option.context
            context.thumbnail = .fit(6, 6)
            context.waitsForStore = true
            for origin in [LoadResult.Origin.network, .disk] {
                let manager = try ImageManager {
                    $0.install(FakeLoader(PlainCoder.file(of: Self.bitmap)))
                    $0.install(PlainCoder { contexts.note($0.context) })
                    $0.dataCache = data
                    $0.resultFormat = .plain
                }
                #expect(try await manager.load(Self.url, context: context).origin == origin, "\(option.name)")
            }
            #expect(contexts.values.map(option.isSet) == [true, true], "\(option.name) of the original and the result")
        }
    }

    /// A manager without observers looks into memory before it makes a request. An option that affects lookups must say
    /// so, or else it is ignored.
    @Test(arguments: ContextOption.all) func optionAffectsLookupsInMemoryWithoutARequestAlike(_ option: ContextOption)
        async throws
    {
        let now = ManualClock().date
        for version in Self.versions(at: now) {
            var outcomes: [String] = []
            for isObserved in [false, true] {
                let images = FakeImageCache()
                let manager = try ImageManager {
                    $0.install(FakeLoader { _ in throw ImageError(.status, .load, "the origin returned status 404") })
                    $0.install(PlainCoder())
                    $0.imageCache = images
                    $0.now = { now }
                    $0.failedURLLifetime = nil
                    if isObserved { $0.observers = [NoObserver()] }
                }
                let key = try #require(manager.key(for: Self.url, context: option.context))
                var image = Image(info: ImageInfo(format: .plain, storedSize: Self.bitmap.size), bitmap: Self.bitmap)
                image.metadata.original = version
                images.store(image, for: key)
                outcomes.append(await outcome(of: option.context, manager))
            }
            #expect(outcomes[0] == outcomes[1], "\(version)")
        }
    }

    private func outcome(of context: ImageContext, _ manager: ImageManager) async -> String {
        let outcome: String
        do {
            let result = try await manager.load(Self.url, context: context)
            outcome = "\(result.origin) \(result.report.decision) \(result.isStale) \(result.image.metadata.scale)"
        } catch {
            outcome = "\(error.kind)"
        }
        await manager.waitForStores()
        return outcome
    }

    /// Versions that are fresh, fresh by guess, without freshness, and stale.
    private static func versions(at now: Date) -> [OriginalVersion] {
        var freshness = [Freshness](repeating: Freshness(confirmedAt: now - 100), count: 4)
        freshness[0].expires = now + 100
        freshness[1].expires = now + 100
        freshness[1].isHeuristic = true
        freshness[3].expires = now - 10
        return freshness.map { OriginalVersion(revision: "1", freshness: $0) }
    }

    /// Returns the names of the keys that the decoders of the library read.
    private static func decodedKeys() throws -> Set<String> {
        let names = Mutex<Set<String>>([])
        let coders = try ImageManager { $0.install(StandardPlugins()) }.coders
        for format in [ImageFormat.png, .jpeg, .gif, .webp] {
            for fixture in Fixture.all(of: format) {
                let context = ImageContext { $0.thumbnail = .fit(4, 4) }
                let observed = context.observingReads { key, _ in names.withLock { _ = $0.insert("\(key)") } }
                _ = try coders.decode(fixture.data, context: observed).animation?.frames()
            }
        }
        return names.withLock { $0 }
    }

    /// Returns the names of the keys in the sources of the library.
    private static func declaredKeys() throws -> Set<String> {
        let sources = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources")
        var names: Set<String> = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path) where path.hasSuffix(".swift") {
            #if !HTTP
                if path.hasPrefix("Loaders/HTTP/") { continue }
            #endif
            let text = String(decoding: try Data(contentsOf: sources.appending(path: path)), as: UTF8.self)
            for line in text.split(separator: "\n") {
                guard let conformance = [": ImageContextKey {", ": PartKey {"].first(where: line.contains),
                    let declaration = line.components(separatedBy: conformance).first, declaration.contains("enum ")
                else { continue }
                names.insert(String(declaration.split(separator: " ").last ?? ""))
            }
        }
        return names
    }
}

/// An observer, with which a manager makes a request for each load.
private struct NoObserver: LoadObserver {
    func loadEnded(_ record: LoadRecord) {}
}
