import DarkroomCore
import DarkroomTestKit
import TestSupport

/// An image cache in which the response of an earlier load replaces that of a later one.
struct LatecomerImageCache: ImageCacheWrapper {
    let base = FakeImageCache()

    func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) -> StoreTicket? {
        base.startGeneration(of: SourceResponse(of: response.source, at: .now()), after: ticket)
    }
}
