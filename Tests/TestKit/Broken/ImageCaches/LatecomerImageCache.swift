import DarkroomCore
import DarkroomTestKit
import TestSupport

/// An image cache in which the response of an earlier load replaces that of a later one.
struct LatecomerImageCache: ImageCacheWrapper {
    let base = FakeImageCache()

    func startGeneration(
        ofSource source: String, at moment: LoadMoment, after ticket: StoreTicket?
    ) -> StoreTicket? {
        base.startGeneration(ofSource: source, at: .now(), after: ticket)
    }
}
