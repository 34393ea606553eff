#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A loader around another one. It is that one in everything that it does not do itself.
///
/// Conform a wrapper to this rather than to `ImageLoader`, and nothing that the base answers can be forgotten, also what a
/// later version asks.
public protocol LoaderWrapper: ImageLoader {
    /// The type of the wrapped loader.
    associatedtype Base: ImageLoader

    /// The wrapped loader.
    var base: Base { get }
}

extension LoaderWrapper {
    /// Whether the base can.
    public func canLoad(_ url: URL) -> Bool { base.canLoad(url) }

    /// What the base brings.
    public func load(_ request: LoadRequest) async throws -> LoadResponse { try await base.load(request) }

    /// The version that the base knows.
    public func localVersion(of url: URL) -> String? { base.localVersion(of: url) }

    /// What the base would send.
    public func requestFields(for request: LoadRequest) -> [String: String] { base.requestFields(for: request) }

    /// Throws what is wrong with the base.
    public func validate() throws(ImageError) { try base.validate() }

    /// What the base remembers.
    public func remembers(_ error: ImageError) -> Bool { base.remembers(error) }

    /// Whether the base refuses some URLs or places.
    public var restrictsAccess: Bool { base.restrictsAccess }

    /// Throws what the base does.
    public func check(_ request: LoadRequest) throws(ImageError) { try base.check(request) }

    /// What the base permits.
    public func permits(_ route: SourceRoute?, for request: LoadRequest) -> Bool {
        base.permits(route, for: request)
    }

    /// Adds this loader in the place of the base, and what the base adds besides itself.
    public func install(in components: inout ImageManager.Components) { components.install(self, around: base) }
}

extension ImageManager.Components {
    /// Adds what `base` adds, with `wrapper` in the place of its loader: it may bring a key filter, too.
    fileprivate mutating func install(_ wrapper: some ImageLoader, around base: some ImageLoader) {
        let count = loaders.count
        base.install(in: &self)
        loaders.replaceSubrange(min(count, loaders.count)..., with: [wrapper])
    }
}
