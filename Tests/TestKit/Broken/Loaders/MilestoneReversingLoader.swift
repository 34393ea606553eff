import DarkroomCore

/// A loader that reports the milestones of a transfer in reverse order.
struct MilestoneReversingLoader: MemLoader {
    func load(_ request: LoadRequest) async throws -> LoadResponse {
        request.report(.responded)
        request.report(.connected)
        return try soundResponse(to: request)
    }
}
