import DarkroomCore

/// A loader that returns `notModified` to requests without a stored response.
struct AlwaysNotModifiedLoader: MemLoader {
    func load(_ request: LoadRequest) async throws -> LoadResponse { LoadResponse(.notModified) }
}
