import DarkroomCore

/// It tells of the end of a transfer before its beginning.
struct TellingBackwards: NearlySoundLoader {
    func load(_ request: LoadRequest) async throws -> LoadResponse {
        request.tell(.responded)
        request.tell(.connected)
        return try soundAnswer(to: request)
    }
}
