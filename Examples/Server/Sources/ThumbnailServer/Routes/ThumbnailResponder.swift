public import Hummingbird

/// Responds to requests for thumbnails, and passes all others on to a router.
///
/// A router takes all path components apart, of which a thumbnail has many, and runs its middleware: together they take
/// a tenth of the time of a memory hit.
public struct ThumbnailResponder<Context: ConnectedRequestContext>: HTTPResponder {
    private let routes: ThumbnailRoutes
    private let other: any HTTPResponder<Context>

    /// Creates a responder for `routes`, with `other` for all other requests.
    public init(_ routes: ThumbnailRoutes, other: any HTTPResponder<Context>) {
        self.routes = routes
        self.other = other
    }

    /// Responds to `request`.
    public func respond(to request: Request, context: Context) async throws -> Response {
        guard routes.accepts(request.head) else { return try await other.respond(to: request, context: context) }
        var response = await routes.respond(to: request, in: context)
        SecurityHeaders<Context>.add(to: &response.headers)
        return response
    }
}
