import DarkroomCore
import DarkroomTestKit
import TestSupport

/// A data cache that keeps the entries of a replaced source.
struct ReplacedKeepingCache: DataCacheWrapper {
    let base = FakeDataCache()

    func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) async throws -> StoreTicket? {
        try await base.ticket(forSource: response.source)
    }
}
