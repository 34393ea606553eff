import DarkroomCore
import DarkroomTestKit
import TestSupport

/// A data cache whose lookups return tickets that are not checked.
struct TicketlessLookupCache: DataCacheWrapper {
    let base = FakeDataCache()

    func lookUp(_ key: CacheKey) async -> DataLookup {
        DataLookup(ticket: .unchecked, entry: await base.lookUp(key).entry)
    }
}
