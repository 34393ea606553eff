import DarkroomCore

/// It tells who has nothing that nothing has changed.
struct SayingNothingHasChanged: NearlySoundLoader {
    func load(_ request: LoadRequest) async throws -> LoadResponse { LoadResponse(.notModified) }
}
