import DarkroomCore

/// A loader that announces more bytes than it returns, so that progress never reaches 100 %.
struct OverstatedLengthLoader: MemLoader {
    func load(_ request: LoadRequest) async throws -> LoadResponse {
        var response = try soundResponse(to: request)
        response.expectedByteCount = Self.bytes.count * 2
        return response
    }
}
