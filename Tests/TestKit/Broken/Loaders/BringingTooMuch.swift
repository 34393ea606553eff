import DarkroomCore

/// It looks at no limit.
struct BringingTooMuch: NearlySoundLoader {
    func load(_ request: LoadRequest) async throws -> LoadResponse {
        var request = request
        request.context.limits.encodedByteCount = .max
        return try soundAnswer(to: request)
    }
}
