@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct IsCachedTests {
    private let small = ImageContext {
        $0.thumbnail = .fit(6, 6)
        $0.waitsForStore = true
    }

    private func expect(_ isCached: Bool, _ box: Darkbox, _ context: ImageContext = .init()) async {
        #expect(await box.manager.isCached(Darkbox.url, context: context) == isCached)
        box.images.removeAll()
        #expect(await box.manager.isCached(Darkbox.url, context: context) == isCached, "on disk")
    }

    @Test func staleEntryCountsAsCached() async throws {
        let origin = Origin(Origin.picture("max-age=10"))
        _ = try await origin.load { $0.waitsForStore = true }
        origin.clock.advance(by: .seconds(60))
        await expect(true, origin.box)
    }

    @Test func resultOfAChangedFileIsNotCached() async throws {
        let loader = FakeLoader(Darkbox.file, version: "1")
        let box = Darkbox(loader)
        _ = try await box.manager.load(Darkbox.url, context: small)
        await expect(true, box, small)
        loader.setVersion("2")
        _ = try await box.manager.load(Darkbox.url, context: small)
        loader.setVersion("3")
        await expect(false, box, small)
    }

    @Test func entryForOtherFieldsIsNotCached() async throws {
        let origin = Origin(
            Origin.picture("max-age=60", .data(Darkbox.file), ["vary": "Language"]),
            fields: { ["language": $0.context.retriesFailed ? "de" : "en"] })
        _ = try await origin.load { $0.waitsForStore = true }
        let german = ImageContext { $0.retriesFailed = true }
        #expect(await origin.manager.isCached(Darkbox.url))
        await expect(false, origin.box, german)
    }

    @Test func originalIsLookedUpInItsCache() async throws {
        let originals = FakeDataCache()
        let box = Darkbox { $0.originalCache = originals }
        _ = try await box.load { $0.waitsForStore = true }
        #expect(box.data.keys.isEmpty && originals.keys.count == 1)
        await expect(true, box)
    }
}
