import DarkroomCore

/// A loader that ignores the limit on encoded bytes.
struct LimitIgnoringLoader: MemLoader {
    func load(_ request: LoadRequest) async throws -> LoadResponse {
        var request = request
        request.context.limits.encodedByteCount = .max
        return try soundResponse(to: request)
    }
}
