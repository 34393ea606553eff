import DarkroomCore
import DarkroomTestKit
import TestSupport

/// A data cache that stores with any ticket.
struct TicketIgnoringCache: DataCacheWrapper {
    let base = FakeDataCache()

    func store(_ entry: DataEntry, for key: CacheKey, with ticket: StoreTicket) async throws {
        try await base.store(entry, for: key)
    }
}
