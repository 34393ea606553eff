import DarkroomCore
import DarkroomTestKit

/// Its sources are prefixes.
struct RemovingTooMuch: NearlySoundDataCache {
    let base = FakeDataCache()

    func removeAll(ofSource source: String) async throws {
        for key in base.keys where key.source.hasPrefix(source) { try await base.remove(key) }
    }
}
