public import DarkroomPlatform

/// A loader that wraps another one, to which it forwards all members that it does not implement itself.
///
/// Conform wrappers to this protocol rather than to `ImageLoader`, so that no member is left unforwarded, including
/// those of later versions.
public protocol LoaderWrapper: ImageLoader {
    /// The type of the wrapped loader.
    associatedtype Base: ImageLoader

    /// The wrapped loader.
    var base: Base { get }

    /// Returns the same wrapper around `base`, or `nil` if that is not possible.
    ///
    /// A request whose context gives a modifier or decryptor uses it in place of those that wrap the loader. The
    /// default returns `nil`, which keeps everything inside this wrapper as it is.
    func rewrapped(around base: some ImageLoader) -> (any ImageLoader)?
}

extension LoaderWrapper {
    /// Returns `nil`.
    public func rewrapped(around base: some ImageLoader) -> (any ImageLoader)? { nil }

    /// Returns whether the base accepts `url`.
    public func canLoad(_ url: URL) -> Bool { base.canLoad(url) }

    /// Returns the response of the base.
    public func load(_ request: LoadRequest) async throws -> LoadResponse { try await base.load(request) }

    /// Returns `response` as the base accepts it, or throws the error with which it rejects it.
    public func accepted(_ response: LoadResponse, for request: LoadRequest) throws(ImageError) -> LoadResponse {
        try base.accepted(response, for: request)
    }

    /// Returns the version of the base.
    public func localVersion(of url: URL) -> LocalVersion? { base.localVersion(of: url) }

    /// Returns the fields that the base would send.
    public func requestFields(for request: LoadRequest) -> [String: String] { base.requestFields(for: request) }

    /// Returns the state of the base.
    public func transferState(for request: LoadRequest) -> String { base.transferState(for: request) }

    /// Validates the base.
    public func validate() throws(ImageError) { try base.validate() }

    /// Returns whether the base remembers `error`.
    public func remembers(_ error: ImageError) -> Bool { base.remembers(error) }

    /// Whether the base refuses some URLs or addresses.
    public var restrictsAccess: Bool { base.restrictsAccess }

    /// Checks `request` with the base.
    public func check(_ request: LoadRequest) throws(ImageError) { try base.check(request) }

    /// Returns whether the base permits `route`.
    public func permits(_ route: SourceRoute?, for request: LoadRequest) -> Bool {
        base.permits(route, for: request)
    }

    /// Adds this loader instead of the base, and everything else that the base installs.
    public func install(in components: inout ImageManager.Components) { components.install(self, around: base) }
}

extension ImageManager.Components {
    /// Installs `base`, and replaces its loader with `wrapper`. The base may also install a key filter.
    fileprivate mutating func install(_ wrapper: some ImageLoader, around base: some ImageLoader) {
        let count = loaders.count
        base.install(in: &self)
        loaders.replaceSubrange(min(count, loaders.count)..., with: [wrapper])
    }
}
