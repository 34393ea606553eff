import DarkroomCore
import DarkroomTestKit

/// It waits for its origin whether anybody is left or not.
struct GoingOnForNobody: NearlySoundLoader {
    let gate = Gate()

    func load(_ request: LoadRequest) async throws -> LoadResponse {
        await gate.pass()
        return try soundAnswer(to: request)
    }
}
