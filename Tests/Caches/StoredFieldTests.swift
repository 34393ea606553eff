import DarkroomCaches
import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// A field of the metadata that the disk does not store would be lost in silence.
@Suite(.bounded)
struct StoredFieldTests {
    @Test func sampleHasAllFields() {
        #expect(StoredFields.unsetInSample.isEmpty, "set these fields in StoredFields.sample")
    }

    @Test func diskKeepsAllFields() async throws {
        let directory = try TemporaryDirectory()
        let key = CacheKey(source: "http://example.com/a.png")
        let cache = try DiskDataCache(directory: directory.url)
        try await cache.store(DataEntry(Data([1]), metadata: StoredFields.sample), for: key)
        let stored = try #require(try await DiskDataCache(directory: directory.url).entry(for: key))
        var expected = StoredFields.sample
        // They stay in memory, because they are secrets.
        expected.setCookies = []
        let lost = StoredFields(of: stored.metadata).differences(from: StoredFields(of: expected))
        #expect(lost.isEmpty, "the disk does not keep these fields")
    }
}
