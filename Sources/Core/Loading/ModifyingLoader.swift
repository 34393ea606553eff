#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ImageLoader {
    /// A loader that changes each request before this one gets it, for example to sign it.
    ///
    /// What `modify` throws ends the load: throw an `ImageError` of kind `refused` to forbid it.
    public func modifyingRequests(_ modify: @escaping RequestModifier) -> some ImageLoader {
        ModifyingLoader(base: self) { request, load in
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
struct ModifyingLoader<Base: ImageLoader>: ImageLoader {
    typealias Load = @Sendable (LoadRequest) async throws -> LoadResponse

    let base: Base
    let body: @Sendable (LoadRequest, Load) async throws -> LoadResponse

    func canLoad(_ url: URL) -> Bool { base.canLoad(url) }
    func load(_ request: LoadRequest) async throws -> LoadResponse { try await body(request, base.load) }
    func localVersion(of url: URL) -> String? { base.localVersion(of: url) }
    func requestFields(for request: LoadRequest) -> [String: String] { base.requestFields(for: request) }
    func remembers(_ error: ImageError) -> Bool { base.remembers(error) }
    func validate() throws(ImageError) { try base.validate() }
    func install(in components: inout ImageManager.Components) { components.install(self, around: base) }
}

extension ImageManager.Components {
    /// Adds what `base` adds, with `wrapper` in the place of its loader: it may bring a key filter, too.
    mutating func install(_ wrapper: some ImageLoader, around base: some ImageLoader) {
        let count = loaders.count
        base.install(in: &self)
        loaders.replaceSubrange(min(count, loaders.count)..., with: [wrapper])
    }
}
