import Darkroom
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct LocalVersionTests {
    @Test func changedFileMakesItsThumbnailOnDiskAMiss() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appending(path: "a.png")
        let small = ImageContext {
            $0.thumbnail = .fit(9, 9)
            $0.waitsForStore = true
        }
        func load() async throws -> LoadResult {
            // A new manager for each load, as after a restart, with an empty memory cache.
            let cache = directory.url.appending(path: "cache")
            return try await ImageManager.standard(cacheDirectory: cache).load(file, context: small)
        }
        try Fixture("png-orientation-1.png").data.write(to: file)
        #expect(try await load().origin == .local)
        #expect(try await load().origin == .disk)
        try Fixture("png-adam7-rgb-8.png").data.write(to: file)
        #expect(try await load().origin == .local)
        #expect(try await load().origin == .disk)
    }
}
