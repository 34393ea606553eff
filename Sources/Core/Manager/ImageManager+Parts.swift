#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// A request may bring parts of its own.
extension ImageManager {
    func imageCache(for request: Request) -> (any ImageCache)? {
        request.context.imageCache ?? components.imageCache
    }

    func dataCache(for request: Request) -> (any DataCache)? { request.context.dataCache ?? components.dataCache }

    func originalCache(for request: Request) -> (any DataCache)? {
        ownOriginalCache(for: request) ?? dataCache(for: request)
    }

    /// Where originals are kept, if elsewhere than results.
    private func ownOriginalCache(for request: Request) -> (any DataCache)? {
        request.context.originalCache ?? components.originalCache
    }

    /// All data caches that may hold something of `request`.
    func dataCaches(for request: Request) -> [any DataCache] {
        [dataCache(for: request), ownOriginalCache(for: request)].compactMap(\.self)
    }

    /// What decodes the originals of `request`.
    func coders(for request: Request) -> CoderRegistry {
        guard let coder = request.context.coder else { return coders }
        return coders.only(coder)
    }

    func serializer(for request: Request) -> (any CacheSerializer)? {
        request.context.serializer ?? components.serializer
    }

    /// The loader that takes the request.
    func loader(for request: Request) -> (any ImageLoader)? {
        if let loader = request.context.loader { return loader.canLoad(request.url) ? loader : nil }
        return components.loaders.last { $0.canLoad(request.url) }
    }
}

extension Request {
    /// Whether its entries go where those of other requests go, so that what is on its way there serves both.
    var usesSharedCaches: Bool { context.dataCache == nil && context.originalCache == nil }
}
