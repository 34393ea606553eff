import DarkroomCore

/// It announces more bytes than it brings, so that progress never reaches its end.
struct AnnouncingTooMuch: NearlySoundLoader {
    func load(_ request: LoadRequest) async throws -> LoadResponse {
        var response = try soundAnswer(to: request)
        response.expectedByteCount = Self.bytes.count * 2
        return response
    }
}
