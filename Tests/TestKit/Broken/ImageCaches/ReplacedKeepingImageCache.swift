import DarkroomCore
import DarkroomTestKit
import TestSupport

/// An image cache that keeps the images of a replaced source.
struct ReplacedKeepingImageCache: ImageCacheWrapper {
    let base = FakeImageCache()

    func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) -> StoreTicket? {
        base.ticket(forSource: response.source)
    }
}
