#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ImageLoader {
    /// A loader that changes each request before this one gets it, for example to sign it.
    ///
    /// What `modify` throws ends the load: throw an `ImageError` of kind `refused` to forbid it. As nothing is known of the
    /// changed request before it is made, such a loader is taken to send any credential that a cached picture came with.
    public func modifyingRequests(_ modify: @escaping RequestModifier) -> some ImageLoader {
        ModifyingLoader(base: self, modifiesRequests: true) { request, load in
            var request = request
            try await modify(&request)
            return try await load(request)
        }
    }

    /// A loader that changes each response of this one, for example to replace what it says about caching.
    ///
    /// The length that was announced holds no longer for a body that is all bytes at once; of chunks it must be set anew.
    public func modifyingResponses(_ modify: @escaping ResponseModifier) -> some ImageLoader {
        ModifyingLoader(base: self) { request, load in
            var response = try await load(request)
            try await modify(&response, request)
            if case .data(let data) = response.body { response.expectedByteCount = data.count }
            return response
        }
    }

    /// A loader whose HTTP responses say `status`, and have `headers` in place of their own fields of the same names, as
    /// have the redirects before them.
    ///
    /// Others pass unchanged. What this loader itself refuses, such as a 404, never gets here: let it accept that status first.
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

/// Changes a request before a loader gets it. An error ends the load.
public typealias RequestModifier = @Sendable (inout LoadRequest) async throws -> Void

/// Changes what a loader answered to a request. An error ends the load.
public typealias ResponseModifier = @Sendable (inout LoadResponse, LoadRequest) async throws -> Void

/// A loader with something put round its `load`; all else is the base's.
struct ModifyingLoader<Base: ImageLoader>: LoaderWrapper {
    typealias Load = @Sendable (LoadRequest) async throws -> LoadResponse

    let base: Base

    /// Whether the base gets other requests than this loader, so that nothing about them is known beforehand.
    var modifiesRequests = false

    let body: @Sendable (LoadRequest, Load) async throws -> LoadResponse

    func load(_ request: LoadRequest) async throws -> LoadResponse { try await body(request, base.load) }

    func check(_ request: LoadRequest) throws(ImageError) {
        if !modifiesRequests { try base.check(request) }
    }

    /// A modifier may add any credential, such as a signature, so the credentials of `route` prove nothing here.
    func permits(_ route: SourceRoute?, for request: LoadRequest) -> Bool {
        base.permits(modifiesRequests ? route?.withoutCredentials : route, for: request)
    }
}
