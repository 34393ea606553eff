import DarkroomCore
import FoundationEssentials

/// A loader that throws an error of its own for missing sources.
struct ForeignErrorLoader: MemLoader {
    struct NotFound: Error {}

    func load(_ request: LoadRequest) async throws -> LoadResponse {
        guard request.url == Self.url else { throw NotFound() }
        return try soundResponse(to: request)
    }
}
