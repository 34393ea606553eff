import DarkroomTestKit
import TestSupport

@testable import DarkroomCore

extension Darkbox {
    /// Loads, and records in `joined` that the load has started.
    func load(joined: Recorder<Int>? = nil, _ configure: (inout ImageContext) -> Void = { _ in }) async throws
        -> LoadResult
    {
        try await manager.load(Self.url, context: ImageContext(configure)) { _ in joined?.note(1) }
    }
}
