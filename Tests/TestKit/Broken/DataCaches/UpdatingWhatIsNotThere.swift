import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// Metadata of an entry that is not there makes one without bytes.
struct UpdatingWhatIsNotThere: NearlySoundDataCache {
    let base = FakeDataCache()

    func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws {
        try await base.store(DataEntry(base.entry(for: key)?.data ?? Data(), metadata: metadata), for: key)
    }
}
