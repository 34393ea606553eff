@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// The palette of a generator: another value is another image at the same URL.
enum PaletteKey: ImageContextKey {
    static var defaultValue: String? { nil }
    static func effect(of value: String?) -> ContextEffect { .source(value.map { "Palette(\($0))" }) }
}

/// A loader of images that it makes of an option of the request.
enum Generator {
    static let palettes: [String?] = [nil, "warm", "cool"]

    static func bitmap(_ palette: String?) -> Bitmap {
        Bitmap(12, 8) { x, _ in
            Color(red: palette == "warm" ? 200 : 10, green: UInt8(x * 10), blue: palette == "cool" ? 200 : 10)
        }
    }

    static func file(_ palette: String?) -> Data { PlainCoder.file(of: bitmap(palette)) }

    /// Returns the options of an image of this palette; at full size if `side` is 0.
    static func context(_ palette: String?, side: Double = 0) -> ImageContext {
        ImageContext {
            if let palette { $0[PaletteKey.self] = palette }
            if side > 0 { $0.thumbnail = .fit(side, side) }
            $0.waitsForStore = true
        }
    }

    /// The server declares when a picture was made, so that caches may keep it.
    static func response(to request: LoadRequest) -> LoadResponse {
        Origin.response("max-age=3600", .data(file(request.context[PaletteKey.self])))
    }
}

@Suite(.bounded)
struct SourceOptionTests {
    /// All orders in which three originals may be loaded, each of them twice.
    private static let orders: [[Int]] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]

    private static func palettes(in order: [Int]) -> [String?] { (order + order).map { Generator.palettes[$0] } }

    private func bitmap(_ palette: String?, side: Double) async throws -> Bitmap {
        try await Darkbox(FakeLoader(Generator.file(palette))).manager.load(
            Darkbox.url, context: Generator.context(nil, side: side)
        ).image.bitmap
    }

    @Test(arguments: orders) func eachOptionHasItsOwnImageInEveryCache(order: [Int]) async throws {
        let box = Darkbox(FakeLoader { Generator.response(to: $0) })
        let managers: [ImageManager] = [box.manager, box.restarted(), box.manager]
        for manager in managers {
            for palette in Self.palettes(in: order) {
                for side in Self.sides { try await expectOwnImage(of: manager, palette, side: side) }
            }
        }
    }

    private static let sides: [Double] = [6, 3, 0]

    private func expectOwnImage(of manager: ImageManager, _ palette: String?, side: Double) async throws {
        let context = Generator.context(palette, side: side)
        let image = try await manager.load(Darkbox.url, context: context).image.bitmap
        let expected = try await bitmap(palette, side: side)
        #expect(image == expected)
        let data = try await manager.data(Darkbox.url, context: context).data
        #expect(data == Generator.file(palette))
    }

    @Test(arguments: orders) func responseOfOneOptionDoesNotEvictThoseOfOthers(order: [Int]) async throws {
        let box = Darkbox(FakeLoader { Generator.response(to: $0) })
        for palette in Self.palettes(in: order) {
            _ = try await box.manager.load(Darkbox.url, context: Generator.context(palette))
        }
        #expect(box.loader.requests.count == 3)
        #expect(box.data.keys.count == 3 && box.data.keys.allSatisfy(\.isOriginal))
    }

    @Test func eachOptionIsSharedByItself() async throws {
        let shared = FakeDataCache()
        let loader = FakeLoader { Generator.response(to: $0) }
        let managers = try (0..<2).map { _ in
            try ImageManager {
                $0.install(loader)
                $0.install(PlainCoder())
                $0.dataCache = FakeDataCache()
                $0.resultFormat = .plain
                $0.shared = SharedCaching(shared)
            }
        }
        for manager in managers {
            for palette in Generator.palettes + Generator.palettes.reversed() {
                for side in Self.sides {
                    try await expectOwnImage(of: manager, palette, side: side)
                    await manager.waitForStores()
                }
            }
        }
        #expect(loader.requests.count == 3)
    }

    @Test func loadsOfDifferentOptionsShareNoTransfer() async throws {
        let box = Darkbox(FakeLoader { Generator.response(to: $0) })
        let images = try await withThrowingTaskGroup(of: (Int, Bitmap).self) { group in
            for index in 0..<30 {
                group.addTask {
                    let context = Generator.context(Generator.palettes[index % 3], side: index < 15 ? 0 : 6)
                    return (index, try await box.manager.load(Darkbox.url, context: context).image.bitmap)
                }
            }
            return try await group.reduce(into: [Int: Bitmap]()) { $0[$1.0] = $1.1 }
        }
        for (index, image) in images {
            let expected = try await bitmap(Generator.palettes[index % 3], side: index < 15 ? 0 : 6)
            #expect(image == expected)
        }
    }

    @Test func failureOfOneOptionDoesNotConcernTheOthers() async throws {
        let loader = FakeLoader { request in
            guard request.context[PaletteKey.self] != "warm" else {
                throw ImageError(.corrupt, .load, "there is no warm picture")
            }
            return Generator.response(to: request)
        }
        let box = Darkbox(loader)
        for kind in [ImageError.Kind.corrupt, .refused] {
            let error = await #expect(throws: ImageError.self) {
                try await box.manager.load(Darkbox.url, context: Generator.context("warm"))
            }
            #expect(error?.kind == kind)
        }
        _ = try await box.manager.load(Darkbox.url, context: Generator.context("cool"))
        _ = try await box.manager.load(Darkbox.url)
        #expect(loader.requests.count == 3)
        box.manager.removeFailed(Darkbox.url)
        _ = try? await box.manager.load(Darkbox.url, context: Generator.context("warm"))
        #expect(loader.requests.count == 4)
    }

    @Test func removalOfAURLRemovesTheImagesOfAllOptions() async throws {
        let box = Darkbox(FakeLoader { Generator.response(to: $0) })
        for palette in Generator.palettes {
            _ = try await box.manager.load(Darkbox.url, context: Generator.context(palette, side: 6))
        }
        try await box.manager.removeAll(of: Darkbox.url)
        #expect(box.data.keys.isEmpty && box.images.keys.isEmpty)
    }

    @Test func changedImageOfOneOptionReplacesOnlyItsOwnEntries() async throws {
        let clock = ManualClock()
        let version = Recorder<Int>()
        let loader = FakeLoader { request in
            let palette = request.context[PaletteKey.self]
            guard palette == "warm", !version.values.isEmpty else { return Generator.response(to: request) }
            return Origin.response("max-age=3600", .data(Darkbox.file), ["etag": "\"2\""])
        }
        let box = Darkbox(loader) { $0.now = { clock.date } }
        for palette in Generator.palettes {
            for side in [6.0, 3] {
                _ = try await box.manager.load(Darkbox.url, context: Generator.context(palette, side: side))
            }
        }
        let keys = box.data.keys
        version.note(1)
        var refresh = Generator.context("warm", side: 6)
        refresh.cacheUse = .refresh
        let changed = try await box.manager.load(Darkbox.url, context: refresh)
        let removed = keys.subtracting(box.data.keys)
        let other = try #require(box.manager.key(for: Darkbox.url, context: Generator.context("warm", side: 3)))
        #expect(removed == [other])
        let expected = try await Darkbox().load { $0.thumbnail = .fit(6, 6) }.image.bitmap
        #expect(changed.image.bitmap == expected)
    }

    @Test func keysOfOriginalsHaveTheFragmentsOfTheSourceOnly() throws {
        let key = try #require(Darkbox().manager.key(for: Darkbox.url, context: Generator.context("warm", side: 6)))
        #expect(key.variant == ["Source(Palette(warm))", "Thumbnail({6.000000,6.000000},1)"])
        #expect(key.original.variant == ["Source(Palette(warm))"] && key.original.isOriginal && !key.isOriginal)
        #expect(
            key.description == "http://example.com/a-Source(Palette(warm))-Thumbnail(%7B6.000000,6.000000%7D,1).plain")
        #expect(Generator.context(nil).variant.parts.isEmpty)
    }
}
