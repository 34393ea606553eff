import DarkroomCore

/// It tells of the end of a transfer before its beginning.
struct TellingBackwards: NearlySoundLoader {
    func load(_ request: LoadRequest) async throws -> LoadResponse {
        request.report(.responded)
        request.report(.connected)
        return try soundAnswer(to: request)
    }
}
