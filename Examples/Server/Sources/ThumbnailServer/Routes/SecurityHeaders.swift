import HTTPTypes
public import Hummingbird

/// Adds the fields that keep a browser from taking an answer for something else than it is.
public struct SafeHeaders<Context: RequestContext>: RouterMiddleware {
    /// One for all routes.
    public init() {}

    /// Adds to what `next` answers; a stricter or laxer policy that is there stays.
    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.xContentTypeOptions] = "nosniff"
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = "default-src 'none'; sandbox"
        }
        return response
    }
}
