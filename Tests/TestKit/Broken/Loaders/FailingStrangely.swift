import DarkroomCore
import FoundationEssentials

/// What is not there ends in an error of its own.
struct FailingStrangely: NearlySoundLoader {
    struct NotFound: Error {}

    func load(_ request: LoadRequest) async throws -> LoadResponse {
        guard request.url == Self.url else { throw NotFound() }
        return try soundAnswer(to: request)
    }
}
