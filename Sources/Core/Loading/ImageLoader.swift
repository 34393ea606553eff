public import DarkroomPlatform

/// A loader of encoded images, or of images decoded elsewhere. It never decodes.
public protocol ImageLoader: ImagePlugin {
    /// Returns whether this loader accepts `url`. The last installed loader that accepts a URL loads it.
    func canLoad(_ url: URL) -> Bool

    /// Returns the response to `request`. Cancelling the task ends the transfer.
    func load(_ request: LoadRequest) async throws -> LoadResponse

    /// Returns `response` as this loader accepts it, or throws the error with which it rejects it.
    ///
    /// A loader that rejects some responses of an origin server, such as those with an unsuccessful status, implements
    /// this, and returns ``outcome(of:for:)`` for each response that it receives. A response that a modifier has changed
    /// is then judged by the same rules as a received one. The error contains the response. It must be fast and must not
    /// block.
    func accepted(_ response: LoadResponse, for request: LoadRequest) throws(ImageError) -> LoadResponse

    /// Returns the version of a source on this machine, such as the inode and date of a file; `nil` for other sources.
    ///
    /// This method must be fast and must not block, but reading the version that it returns may. Originals with a local
    /// version are not stored in the disk cache, and results made from them are used only while the version is the same.
    func localVersion(of url: URL) -> LocalVersion?

    /// Returns the header fields that would be sent for `request`, with lowercase names, as far as they are known in
    /// advance.
    ///
    /// They are compared with the `Vary` fields of cached responses. The value of a secret may be replaced by `*`. It
    /// must be fast and must not block.
    func requestFields(for request: LoadRequest) -> [String: String]

    /// Returns the current state of the loader as far as it decides which user a transfer is for, such as a fingerprint of
    /// the credentials that it adds by itself; empty if it does not change.
    ///
    /// Loads share a transfer only if the state is the same, and a failure is remembered only if it has not changed since the
    /// transfer began. The options of the request are compared in any case. It must contain no secret, be fast and not block.
    func transferState(for request: LoadRequest) -> String

    /// Throws an error that names the setting if the configuration is invalid. It is called when a manager is created.
    func validate() throws(ImageError)

    /// Returns whether `error`, thrown by this loader, is remembered, so that the URL is not tried again for a while.
    /// Credentials that the origin server has refused are remembered in any case, for requests that send the same ones.
    func remembers(_ error: ImageError) -> Bool

    /// Whether the loader refuses some URLs or addresses. Only then are `check(_:)` and `permits(_:for:)` called for
    /// every cached entry; for entries fetched with credentials they are always called. It must not change.
    var restrictsAccess: Bool { get }

    /// Throws an error of kind `refused` if `request` is not allowed, as far as that is known without network access.
    ///
    /// It is called before any cache lookup, so that caches return nothing to a request that its loader would refuse.
    /// It must be fast and must not block.
    func check(_ request: LoadRequest) throws(ImageError)

    /// Returns whether `request` may use an entry fetched by `route`, possibly by another loader. If not, the entry
    /// counts as a miss.
    ///
    /// `route` is `nil` if the loader did not report it. A loader that sets `LoadResponse.route` must return `true` for
    /// its own responses to the same request. It must be fast and must not block. The permission of a route without
    /// credentials is remembered for as long as the request, or its ``PreparedRequest``, exists.
    func permits(_ route: SourceRoute?, for request: LoadRequest) -> Bool
}

extension ImageLoader {
    /// Returns what `load(_:)` returns for `response`, received or modified: the response as this loader accepts it, or
    /// a rejected one if `request` asks for it with ``LoadRequest/returnsRejectedResponses``.
    ///
    /// - Throws: The error with which this loader rejects the response.
    public func outcome(of response: LoadResponse, for request: LoadRequest) throws(ImageError) -> LoadResponse {
        do {
            return try accepted(response, for: request)
        } catch {
            if request.returnsRejectedResponses { return response }
            throw error
        }
    }

    /// Returns the error with which this loader rejects `response`, which `load(_:)` has returned for `request`; `nil`
    /// if it accepts it.
    func rejection(of response: LoadResponse, for request: LoadRequest) -> ImageError? {
        // Otherwise `load(_:)` would have thrown the error.
        guard request.returnsRejectedResponses else { return nil }
        do {
            _ = try accepted(response, for: request)
            return nil
        } catch {
            return error
        }
    }

    /// Returns `response`, for loaders that judge no responses.
    public func accepted(_ response: LoadResponse, for request: LoadRequest) throws(ImageError) -> LoadResponse {
        response
    }

    /// Returns `nil`, for sources that are not on this machine.
    public func localVersion(of url: URL) -> LocalVersion? { nil }

    /// Returns no fields, for loaders that send none.
    public func requestFields(for request: LoadRequest) -> [String: String] { [:] }

    /// Returns the empty state, for loaders whose state does not change.
    public func transferState(for request: LoadRequest) -> String { "" }

    /// Accepts any configuration.
    public func validate() throws(ImageError) {}

    /// Returns `true` for permanent failures: URLs that cannot be loaded, and bytes that cannot be decoded.
    ///
    /// An unreachable origin server, a status and a content type are not among them, because they may change at any
    /// time.
    public func remembers(_ error: ImageError) -> Bool { error.isPermanent }

    /// Returns `false`, for loaders that refuse none of their URLs.
    public var restrictsAccess: Bool { false }

    /// Accepts every request.
    public func check(_ request: LoadRequest) throws(ImageError) {}

    /// Permits routes without credentials, or only with those that `requestFields(for:)` returns.
    public func permits(_ route: SourceRoute?, for request: LoadRequest) -> Bool {
        guard let route, route.usesCredentials else { return true }
        let sent = Set(requestFields(for: request).filter { !$0.value.isEmpty }.keys)
        return route.hops.allSatisfy { $0.credentials.isSubset(of: sent) }
    }

    /// Adds the loader, which takes precedence over those already installed.
    public func install(in components: inout ImageManager.Components) { components.loaders.append(self) }
}

/// A request to a loader. It is a struct, so that a new field breaks no plug-in.
public struct LoadRequest: Sendable {
    /// The URL to load.
    public var url: URL

    /// The options of the load.
    public var context: ImageContext

    /// The response stored with the cached bytes, if any. A loader that supports revalidation sends its validators, and
    /// returns `notModified` if the bytes are still valid.
    public var stored: ResponseMetadata?

    /// The current urgency, which changes with the callers that share the transfer. It is for loaders whose transfers
    /// queue, which must not change it.
    public var urgency: Urgency

    /// Whether the loader also returns responses that it rejects, such as a 404, instead of throwing: `false`.
    ///
    /// A wrapper that modifies responses sets it, and returns ``ImageLoader/outcome(of:for:)`` of its base for the
    /// modified response. Loaders that do not support it throw as usual.
    public var returnsRejectedResponses = false

    /// Reports the progress of the transfer, for events and reports. Calling it is optional, and possible on any
    /// thread.
    public var report: @Sendable (TransferMilestone) -> Void = { _ in }

    /// The memory of the bytes that the loader returns, for as long as a load of a manager waits for them.
    weak var memory: TransferMemory?

    /// Creates a request for `url`. Without an `urgency`, it has that of `context`.
    public init(
        url: URL, context: ImageContext = .init(), stored: ResponseMetadata? = nil, urgency: Urgency? = nil
    ) {
        self.url = url
        self.context = context
        self.stored = stored
        self.urgency = urgency ?? context.urgency
    }

    /// Waits until the memory budget has room for `byteCount` bytes in all, which the loader then reads and returns at once.
    /// Without that, they are counted when it has returned them. The budget counts chunks as they arrive.
    ///
    /// - Throws: An error of kind `cancelled` if the task is cancelled.
    public func reserveMemory(for byteCount: Int) async throws { try await memory?.grow(to: byteCount) }
}
