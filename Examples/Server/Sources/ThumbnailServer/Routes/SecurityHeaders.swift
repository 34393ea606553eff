import HTTPTypes
public import Hummingbird

/// Adds the header fields that prevent a browser from interpreting a response as another type, or running its content.
public struct SecurityHeaders<Context: RequestContext>: RouterMiddleware {
    /// Creates the middleware.
    public init() {}

    /// Adds the fields to the response of `next`. A content security policy that is already set is preserved.
    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        Self.add(to: &response.headers)
        return response
    }

    /// Adds the fields to `headers`.
    static func add(to headers: inout HTTPFields) {
        headers[.xContentTypeOptions] = "nosniff"
        if headers[.contentSecurityPolicy] == nil {
            headers[.contentSecurityPolicy] = "default-src 'none'; sandbox"
        }
    }
}
