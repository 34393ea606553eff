import DarkroomCore
import DarkroomTestKit
import TestSupport

/// A data cache that keeps the entries of a replaced source.
struct ReplacedKeepingCache: DataCacheWrapper {
    let base = FakeDataCache()

    func startGeneration(
        ofSource source: String, at moment: LoadMoment, after ticket: StoreTicket?
    ) async throws -> StoreTicket? {
        try await base.ticket(forSource: source)
    }
}
