import DarkroomCore
import DarkroomTestKit

/// It puts metadata beside bytes of another version.
struct ConfirmingAnyVersion: NearlySoundDataCache {
    let base = FakeDataCache()

    func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws {
        guard let data = try await base.entry(for: key)?.data else { return }
        try await base.store(DataEntry(data, metadata: metadata), for: key)
    }
}
