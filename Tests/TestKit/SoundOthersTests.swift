import DarkroomCacheKeyFilters
import DarkroomCore
import DarkroomFile
import DarkroomTestKit
import DarkroomTransformers
import FoundationEssentials
import TestSupport
import Testing

/// The transformers of this package fulfil their contract.
@Suite struct SoundTransformerTests {
    static let transformers: [any ImageTransformer] = [
        .flip(horizontal: true), .rotate(radians: .pi / 2), .rotate(radians: 0.3),
        .rotate(radians: 1, fitsSize: false), .crop(x: 2, y: 1, width: 9, height: 8), .crop(aspectRatio: 1.0),
        .resize(12, 34), .resize(12, 34, .fit), .resize(12, 34, .cover), .resize(50, 20, inLinearLight: true),
        .resize(width: 21), .resize(height: 17), .thumbnail(.cover(12, 9, focus: .top, inLinearLight: true)),
        .greyscale, .colorInvert, .tint(.white), .tint(.white, mode: .hue), .adjust(brightness: 0.1),
        .blur(radius: 2), .blur(radius: 2, inLinearLight: true), .sharpen(), .pad(3), .canvas(width: 40, height: 30),
        .trim(), .roundCorner(radius: 5), .smartCrop(10, 10), .smartCrop(10, 10, by: .edges), .thumbnail(12, 9),
        .watermark(.testCard(8, 8, hasAlpha: true)), .pipeline([.trim(), .greyscale]), .pipeline([.flip()]),
    ]

    @Test(arguments: transformers.indices) func fulfilsTheContract(_ index: Int) throws {
        var others = Self.transformers
        let contract = TransformerContract(others.remove(at: index))
        try contract.checkAll(others: others)
    }

    /// Transformers of each kind that write into memory that is not cleared.
    private static let covering: [any ImageTransformer] = [
        .flip(horizontal: true), .rotate(radians: .pi / 2), .crop(x: 2, y: 1, width: 1096, height: 958),
        .resize(1096, 958), .resize(1096, 1096, .fit), .greyscale, .blur(radius: 1), .canvas(width: 1200, height: 1000),
        .watermark(.testCard(8, 8, hasAlpha: true)),
    ]

    /// The memory of large images is reused without being cleared.
    @Test(arguments: covering.indices) func resultsDoNotDependOnPreviousPixels(_ index: Int) throws {
        let image = try Bitmap(PixelSize(1100, 960), hasAlpha: true) { pixels in
            for index in pixels.indices { pixels[index] = UInt8(truncatingIfNeeded: index &* index >> 7) }
        }
        let results = try [UInt8(0x55), 0xAA].map { old in
            let previous = try Bitmap(image.size, hasAlpha: true) { pixels in
                for index in pixels.indices { pixels[index] = old }
            }
            #expect(previous.size == image.size)
            // Under the thread sanitizer, a resize takes more than ten seconds.
            let context = ImageContext { $0.limits.workTime = .seconds(60) }
            return try Self.covering[index].transform(image, for: TransformRequest(context: context))
        }
        #expect(results[0] == results[1])
    }
}

/// The key filters of this package fulfil their contract.
@Suite struct SoundKeyFilterTests {
    private static func urls(_ texts: String...) -> [URL] { texts.compactMap { URL(string: $0) } }

    private static let different = urls(
        "https://example.com/a.png?id=1", "https://example.com/a.png?id=2", "https://example.com/A.png?id=1")

    static let filters: [(filter: any CacheKeyFilter, same: [URL])] = [
        (.lowercaseHost, urls("https://example.com/?id=1", "https://EXAMPLE.com/?id=1")),
        (.sortQuery, urls("https://example.com/?id=1&b=2", "https://example.com/?b=2&id=1")),
        (.removeSignatures, urls("https://example.com/?id=1", "https://example.com/?id=1")),
        (
            .removeQueryItems(["utm_source"]),
            urls("https://example.com/?id=1", "https://example.com/?utm_source=a&id=1")
        ),
        (.keepQueryItems(["id"]), urls("https://example.com/?id=1", "https://example.com/?id=1&time=2")),
        (.mapHost(["b.example.com": "example.com"]), urls("https://b.example.com/?id=1", "https://example.com/?id=1")),
        (DataURLKeyFilter(), []),
    ]

    @Test(arguments: filters.indices) func fulfilsTheContract(_ index: Int) throws {
        let (filter, same) = Self.filters[index]
        try KeyFilterContract(filter).checkAll(different: Self.different, same: same)
    }
}

/// The loaders of this package fulfil their contract.
@Suite struct SoundLoaderTests {
    @Test func fileLoaderPasses() async throws {
        let (directory, fixture) = (try TemporaryDirectory(), Fixture("png-9x17.png").data)
        let file = try directory.write(fixture, to: "a b.png")
        let contract = LoaderContract(FileLoader())
        try await contract.checkAll(
            file, returns: fixture, missing: [directory.url.appending(path: "none"), directory.url],
            foreign: [try #require(URL(string: "https://example.com/a.png"))])
        try await contract.checkChange(of: file) { try Data("other".utf8).write(to: file) }
    }

    @Test func dataURLLoaderPasses() async throws {
        let url = try #require(URL(string: "data:image/png;base64,AAECAw=="))
        try await LoaderContract(DataURLLoader()).checkAll(
            url, returns: Data([0, 1, 2, 3]), missing: [try #require(URL(string: "data:image/png;base64,A*"))])
    }

    @Test func fakeLoaderPasses() async throws {
        let loader = FakeLoader(Data(repeating: 1, count: 100))
        let url = try #require(URL(string: "https://example.com/a.png"))
        try await LoaderContract(loader).checkBytes(of: url, equal: Data(repeating: 1, count: 100))
    }
}
