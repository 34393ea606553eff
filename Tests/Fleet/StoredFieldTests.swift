import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@testable import DarkroomFleet

/// A field of the metadata that the shared tier does not store would be lost in silence.
struct StoredFieldTests {
    @Test func sharedTierKeepsAllFields() throws {
        let (key, now) = (CacheKey(source: "http://example.com/a.png"), Date(timeIntervalSinceReferenceDate: 1000))
        let entry = DataEntry(Data([1]), metadata: StoredFields.sample)
        let object = try Envelope().object(entry, for: key, at: now)
        let stored = try Envelope().entry(in: StoredObject(object), for: key, at: now)
        var expected = StoredFields.sample
        // They are secrets of one user.
        expected.setCookies = []
        let lost = StoredFields(of: stored.metadata).differences(from: StoredFields(of: expected))
        #expect(lost.isEmpty, "the shared tier does not keep these fields")
    }
}
