import DarkroomCore
import FoundationEssentials

/// Tells the password with the way it took.
struct TellingSecrets: NearlySoundLoader {
    func load(_ request: LoadRequest) async throws -> LoadResponse {
        var response = try soundAnswer(to: request)
        response.route = URL(string: "http://me:secret@example.com/").map { SourceRoute([.init(url: $0)]) }
        return response
    }
}
