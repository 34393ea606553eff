import DarkroomCore
import DarkroomHTTP
import Foundation

/// Performs the requests of the suite with `ImageManager.data`.
struct Client: Sendable {
    /// The manager whose caches are tested.
    let manager: ImageManager

    /// Returns the response to `request`, from the cache or the origin server.
    func response(to request: Exchange.Request) async -> Exchange.Response {
        guard let url = URL(string: request.url) else { return Exchange.Response(id: request.id, error: "no URL") }
        var context = ImageContext()
        context.httpHeaders = request.headers
        switch request.cache {
        case "no-store", "reload": context.cacheUse = .loaderOnly
        case "no-cache": context.cacheUse = .refresh
        case "only-if-cached": context.cacheUse = .cacheOnly
        default: break
        }
        do {
            return Exchange.Response(id: request.id, original: try await manager.data(url, context: context))
        } catch {
            let cause = error.kind == .refused ? error.underlying as? ImageError ?? error : error
            guard let response = cause.response else {
                return Exchange.Response(id: request.id, error: "\(error)")
            }
            return Exchange.Response(id: request.id, refusal: response)
        }
    }
}
