import DarkroomCore
import DarkroomTestKit

/// A loader that waits for its origin although the load is cancelled.
struct CancellationIgnoringLoader: MemLoader {
    let gate = Gate()

    func load(_ request: LoadRequest) async throws -> LoadResponse {
        await gate.wait()
        return try soundResponse(to: request)
    }
}
