import Darkroom
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// `SDWebImageCacheKeyFilter` and `SDWebImageOptionsProcessor`.
@Suite(.bounded)
struct SDWebImageCacheKeyFilterTests {
    private let signed = URL(string: "https://example.com/card.plain?token=1")!

    @Test func filteredURLsShareOneEntry() async throws {
        let studio = try Studio { $0.install(RemoveQueryItems(["token"])) }
        _ = try await studio.manager.load(signed)
        let other = try await studio.manager.load(URL(string: "https://example.com/card.plain?token=2")!)
        #expect(other.origin == .memory && studio.origin.requests.count == 1)
    }

    @Test func filterOfTheContextReplacesThatOfTheManager() throws {
        let studio = try Studio { $0.install(RemoveQueryItems(["token"])) }
        let key = studio.manager.key(for: signed, context: ImageContext { $0.keyFilters = [] })
        #expect(key?.source == signed.absoluteString)
    }

    @Test func filterThatReturnsNilKeepsTheImageOutOfTheCaches() async throws {
        let studio = try Studio { $0.install(ClosureKeyFilter { _, _, _ in nil }) }
        let result = try await studio.load()
        #expect(result.key == nil && studio.images.keys.isEmpty && studio.data.keys.isEmpty)
    }

    @Test func optionsProcessorRewritesEveryRequest() async throws {
        struct Small: RequestProcessor {
            func process(url: inout URL, context: inout ImageContext) { context.thumbnail = .fit(6, 6) }
        }
        let studio = try Studio { $0.install(Small()) }
        #expect(try await studio.load().image.size == PixelSize(6, 4))
    }
}
