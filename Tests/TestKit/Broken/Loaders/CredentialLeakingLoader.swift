import DarkroomCore
import FoundationEssentials

/// A loader that reports a route that contains a password.
struct CredentialLeakingLoader: MemLoader {
    func load(_ request: LoadRequest) async throws -> LoadResponse {
        var response = try soundResponse(to: request)
        response.route = URL(string: "http://me:secret@example.com/").map { SourceRoute([.init(url: $0)]) }
        return response
    }
}
