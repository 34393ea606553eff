import DarkroomCore
import DarkroomTestKit

/// A loader that reads an option that is not declared to affect the source.
struct OptionReadingLoader: MemLoader {
    /// A quality that is requested of the origin server.
    enum UndeclaredQuality: ImageContextKey {
        static var defaultValue: Int { 80 }
        static func effect(of value: Int) -> ContextEffect { .nothing }
    }

    func load(_ request: LoadRequest) async throws -> LoadResponse {
        _ = request.context[UndeclaredQuality.self]
        return try soundResponse(to: request)
    }
}

/// A loader that returns another image for each size.
struct SizeReadingLoader: MemLoader {
    func load(_ request: LoadRequest) async throws -> LoadResponse {
        _ = request.context.thumbnail
        return try soundResponse(to: request)
    }
}
