import DarkroomCore
import DarkroomTestKit
import TestSupport

/// A data cache in which the response of an earlier load replaces that of a later one.
struct LatecomerCache: DataCacheWrapper {
    let base = FakeDataCache()

    func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) async throws -> StoreTicket? {
        try await base.startGeneration(of: SourceResponse(of: response.source, at: .now()), after: ticket)
    }
}
