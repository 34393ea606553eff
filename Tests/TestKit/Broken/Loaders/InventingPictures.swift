import DarkroomCore

/// What is not there is something else.
struct InventingPictures: NearlySoundLoader {
    func load(_ request: LoadRequest) async throws -> LoadResponse {
        try soundAnswer(to: LoadRequest(url: Self.url, context: request.context))
    }
}
