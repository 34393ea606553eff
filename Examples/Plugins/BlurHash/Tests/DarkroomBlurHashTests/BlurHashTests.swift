import DarkroomBlurHash
import DarkroomCore
import DarkroomPNG
import DarkroomTargets
import DarkroomTestKit
import Foundation
import Testing

private let folder = FixtureFolder(beside: #filePath)

struct BlurHashTests {
    private static let example = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"

    @Test(arguments: try folder.fixtures(withExtension: "blurhash", references: PNGCoder()))
    func hashesAndRenderingsMatchTheReference(_ fixture: FixtureFolder.Fixture) throws {
        let text = String(decoding: fixture.data, as: UTF8.self)
        let picture = try CoderRegistry([PNGCoder()]).decode(try folder.data(of: fixture.source)).bitmap
        let counts = fixture.name.split { "-.x".contains($0) }.compactMap { Int($0) }
        let hash = try BlurHash(of: picture, columns: counts[0], rows: counts[1])
        #expect(hash.text == text)
        #expect(hash == BlurHash(text))
        #expect(try hash.bitmap(PixelSize(32, 24)).largestVisibleDifference(to: fixture.expected) <= 1)
    }

    @Test(arguments: [
        "", "LEHV6", example + "a", String(example.dropLast()), "L HV6nWB2yk8pyo0adR*.7kCMdnj", "~EHV6n",
        "LEHV6nWB2yk8pyo0adR*.7kCMd~~",
        "00~~~~", "é", String(repeating: "~", count: 100_000),
    ])
    func invalidTextIsNoHash(_ text: String) { #expect(BlurHash(text) == nil) }

    @Test func anyCountsAndSizesAreValid() throws {
        let bitmap = try #require(BlurHash(Self.example)).bitmap(PixelSize(3, 200))
        for count in [Int.min, 0, 1, 9, 10, .max] {
            #expect((1...9).contains(try BlurHash(of: bitmap, columns: count, rows: count).rows))
        }
        for size in [PixelSize(0, 1), PixelSize(-4, 4), PixelSize(.max, .max), PixelSize(1 << 20, 1 << 20)] {
            #expect(throws: ImageError.self) { try BlurHash(Self.example)?.bitmap(size) }
        }
    }

    @Test func hashURLLoadsAnImage() async throws {
        let hash = try #require(BlurHash(Self.example))
        let url = try #require(hash.url(PixelSize(32, 24)))
        let manager = try ImageManager { $0.install(BlurHashLoader()) }
        #expect(try await manager.load(url).image.bitmap == hash.bitmap(PixelSize(32, 24)))
        let contract = LoaderContract(BlurHashLoader())
        try contract.checkURLs(own: [url], foreign: [URL(filePath: "/blurhash")])
        for text in [
            "blurhash:", "blurhash:3x/a", "blurhash:32x24/nothing", "blurhash:0x1/\(Self.example)", "blurhash:1x1",
        ] {
            try await contract.checkFailure(of: try #require(URL(string: text)))
        }
        try await contract.checkFailure(of: try #require(hash.url(PixelSize(1 << 30, 1 << 30))))
    }

    /// Each of these takes long, or much memory for its waves.
    @Test(arguments: [PixelSize(10_000, 10_000), PixelSize(100_000_000, 1), PixelSize(1, 257)])
    func hugePlaceholderIsRefused(_ size: PixelSize) async throws {
        let url = try #require(BlurHash(Self.example)?.url(size))
        let manager = try ImageManager { $0.install(BlurHashLoader()) }
        let error = await #expect(throws: ImageError.self) { try await manager.load(url) }
        #expect(error?.kind == .overLimit)
    }

    /// The pixels alone would be permitted.
    @Test func wavesCountAsMemory() throws {
        let hash = try #require(BlurHash(Self.example))
        var limits = DecodeLimits.default
        limits.decodedByteCount = 10_000
        #expect(throws: ImageError.self) { try hash.bitmap(PixelSize(2000, 1), limits: limits) }
    }

    @Test func transformerMeetsTheContract() throws {
        try TransformerContract(BlurHashing()).checkAll(others: [BlurHashing(columns: 3), BlurHashing(rows: 4)])
    }

    @Test func targetShowsThePlaceholderUntilTheImageIsLoaded() async throws {
        let bitmap = try CoderRegistry([PNGCoder()]).decode(try folder.data(of: "card.png")).bitmap
        let manager = try ImageManager {
            $0.install(FakeLoader(PlainCoder.file(of: bitmap)))
            $0.install(PlainCoder())
        }
        let placeholder = try BlurHash(of: bitmap).image(PixelSize(32, 24))
        let shown = try await Cell.shown(URL(filePath: "/card.plain"), placeholder: placeholder, manager: manager)
        #expect(shown.map(\.bitmap) == [placeholder.bitmap, bitmap])
    }
}

/// A target that records the images it shows.
@MainActor private final class Cell: @MainActor ImageTarget {
    let imageSlots: ImageSlots
    private var shown: [Image] = []

    private init(_ manager: ImageManager) { imageSlots = ImageSlots(manager) }

    func show(_ content: SlotContent, in slot: String) { shown += [content.image].compactMap { $0 } }

    static func shown(_ url: URL, placeholder: Image, manager: ImageManager) async throws -> [Image] {
        let cell = Cell(manager)
        await withCheckedContinuation { continuation in
            cell.setImage(url, placeholder: placeholder, completion: { _ in continuation.resume() })
        }
        return cell.shown
    }
}

extension FixtureFolder.Fixture {
    /// The name of the image that the hash was computed from.
    fileprivate var source: String { name.prefix { $0 != "-" } + ".png" }
}
