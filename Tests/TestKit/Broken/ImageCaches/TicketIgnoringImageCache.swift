import DarkroomCore
import DarkroomTestKit
import TestSupport

/// An image cache that stores with any ticket.
struct TicketIgnoringImageCache: ImageCacheWrapper {
    let base = FakeImageCache()

    func store(_ image: Image, for key: CacheKey, with ticket: StoreTicket) { base.store(image, for: key) }
}
