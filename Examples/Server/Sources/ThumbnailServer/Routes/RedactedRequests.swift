import Darkroom
import HTTPTypes
public import Hummingbird

/// Passes requests to a middleware that writes their paths where others can read them, such as `LogRequestsMiddleware` or
/// `TracingMiddleware`, with their sources decoded and without the secrets of these. The routes get the original requests.
public struct RedactedRequests<Recorder: RouterMiddleware>: RouterMiddleware where Recorder.Context: RequestContext {
    private let recorder: Recorder
    private let mountPath: String

    /// Creates a middleware around `recorder`, for thumbnails below `mountPath`.
    public init(_ recorder: Recorder, below mountPath: String) {
        self.recorder = recorder
        self.mountPath = mountPath
    }

    /// Passes a redacted copy of `request` to the recorder, and `request` on to `next`.
    ///
    /// Of a path that is not one of a thumbnail, the recorder gets the pattern of the route: any part of it may be a source in
    /// base64url.
    @concurrent public func handle(
        _ request: Request, context: Recorder.Context,
        next: @concurrent (Request, Recorder.Context) async throws -> Response
    ) async throws -> Response {
        var head = request.head
        head.path = thumbnailPath(head.path ?? "") ?? context.endpointPath ?? "/REDACTED"
        let redacted = Request(head: head, body: request.body)
        return try await recorder.handle(redacted, context: context) { _, context in
            try await next(request, context)
        }
    }

    /// Returns `target` with the URL of its source, both without secrets; `nil` if it is not the path of a thumbnail.
    private func thumbnailPath(_ target: String) -> String? {
        guard target.utf8.starts(with: mountPath.utf8),
            let path = try? ThumbnailPath(Substring(target.utf8.dropFirst(mountPath.utf8.count)))
        else { return nil }
        let source = (try? SourceComponent(path.source)).map { URLRedaction.standard($0.url) }
        return URLRedaction.standard(String(target[..<path.source.startIndex])) + (source ?? "REDACTED")
    }
}
