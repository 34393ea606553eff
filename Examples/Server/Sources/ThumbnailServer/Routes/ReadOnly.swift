import HTTPTypes
public import Hummingbird

/// Responds with status 405 to requests that would change something: all resources of the server can only be read.
public struct ReadOnly<Context: RequestContext>: RouterMiddleware {
    /// Creates the middleware.
    public init() {}

    /// Passes `GET` and `HEAD` on to `next`.
    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.method != .get, request.method != .head else { return try await next(request, context) }
        var response = Problem(.methodNotAllowed, "the server accepts GET and HEAD").response()
        response.headers[.allow] = "GET, HEAD"
        return response
    }
}
