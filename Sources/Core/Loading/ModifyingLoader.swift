import DarkroomPlatform

extension ImageLoader {
    /// Returns a loader that modifies each request before this one receives it, for example to sign it.
    ///
    /// An error of `modify` ends the load; throw an `ImageError` of kind `refused` to forbid it. Because the modified
    /// request is not known in advance, the loader is assumed to send any credential with which a cached image was
    /// fetched.
    public func modifyingRequests(_ modify: @escaping RequestModifier) -> some ImageLoader {
        ModifyingLoader(base: self, modifier: .request) { request, load in
            var request = request
            try await modify(&request)
            return try await load(request)
        }
    }

    /// Returns a loader that modifies each response of this one, for example its caching directives.
    ///
    /// `modify` also receives the responses that this loader would reject, such as a 404. The modified response is
    /// judged like a received one: a status or content type that this loader does not accept fails the load, and one
    /// that it accepts does not. A modified 304 stays a confirmation unless its new status is rejected, and a redirect
    /// that `modify` makes up is not followed.
    ///
    /// The expected length of a `data` body is updated automatically. For chunks, `modify` must update it.
    public func modifyingResponses(_ modify: @escaping ResponseModifier) -> some ImageLoader {
        ModifyingLoader(base: self, modifier: .response) { request, load in
            var unjudged = request
            unjudged.returnsRejectedResponses = true
            var response = try await load(unjudged)
            try await modify(&response, request)
            if case .data(let data) = response.body { response.expectedByteCount = data.count }
            return try outcome(of: response, for: request)
        }
    }

    /// Returns a loader that replaces the status of HTTP responses, and the fields in `headers` of responses and
    /// redirects.
    ///
    /// Other responses pass unchanged. The new status and fields are what the loader judges: with the default of 200,
    /// a 404 is accepted, and with a status of 404 every response is rejected.
    public func modifyingResponses(status: Int = 200, headers: [String: String] = [:]) -> some ImageLoader {
        modifyingResponses { response, _ in
            response.metadata?.status = status
            for (name, value) in headers {
                response.metadata?.headers[name.asciiLowercased] = value
                for index in response.redirects.indices {
                    response.redirects[index].headers[name.asciiLowercased] = value
                }
            }
        }
    }
}

/// A closure that modifies a request before a loader receives it. An error ends the load.
public typealias RequestModifier = @Sendable (inout LoadRequest) async throws -> Void

/// A closure that modifies the response of a loader to a request, before it is judged. An error ends the load.
public typealias ResponseModifier = @Sendable (inout LoadResponse, LoadRequest) async throws -> Void

/// A part of a loader that a context can replace for one load.
enum LoaderModifier {
    case request, response, decryptor
}

/// A loader that wraps the `load` method of its base, and forwards everything else.
struct ModifyingLoader<Base: ImageLoader>: LoaderWrapper {
    typealias Load = @Sendable (LoadRequest) async throws -> LoadResponse

    let base: Base

    /// The part that a context can replace; `nil` if it cannot.
    var modifier: LoaderModifier?

    let body: @Sendable (LoadRequest, Load) async throws -> LoadResponse

    /// Whether the base receives modified requests, which are not known in advance.
    private var modifiesRequests: Bool { modifier == .request }

    func load(_ request: LoadRequest) async throws -> LoadResponse { try await body(request, base.load) }

    func check(_ request: LoadRequest) throws(ImageError) {
        if !modifiesRequests { try base.check(request) }
    }

    /// A modifier may add any credential, such as a signature, so the credentials of `route` prove nothing here.
    func permits(_ route: SourceRoute?, for request: LoadRequest) -> Bool {
        base.permits(modifiesRequests ? route?.withoutCredentials : route, for: request)
    }

    func rewrapped(around base: some ImageLoader) -> (any ImageLoader)? {
        ModifyingLoader<_>(base: base, modifier: modifier, body: body)
    }
}
