import DarkroomCore
import DarkroomTestKit
import TestSupport

/// An image cache that keeps the images of a replaced source.
struct ReplacedKeepingImageCache: ImageCacheWrapper {
    let base = FakeImageCache()

    func startGeneration(
        ofSource source: String, at moment: LoadMoment, after ticket: StoreTicket?
    ) -> StoreTicket? {
        base.ticket(forSource: source)
    }
}
