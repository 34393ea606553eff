#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// What the caches have is for those only who could have loaded it themselves.
extension ImageManager {
    /// Throws when `request` could not be rewritten, or its loader refuses it, before anything is looked for in a cache.
    func checkAccess(_ request: Request) throws(ImageError) {
        if let failure = request.failure { throw failure }
        guard mayRestrictAccess(request), let loader = loader(for: request), loader.restrictsAccess else { return }
        try loader.applying(request.context).check(request.question)
    }

    /// Whether `request` may have something in a cache that was made of `version`; otherwise it is a miss.
    func permits(_ version: OriginalVersion?, _ request: Request) -> Bool {
        let usesCredentials = version?.reach?.usesCredentials ?? false
        guard usesCredentials || mayRestrictAccess(request) else { return true }
        guard let loader = loader(for: request) else { return !usesCredentials }
        guard usesCredentials || loader.restrictsAccess else { return true }
        let applied = loader.applying(request.context)
        guard (try? applied.check(request.question)) != nil else { return false }
        // Of local versions the loader of the request tells at any time whether they are its own, and what an entry without
        // a version is, whoever put it there must know.
        guard let version, !version.isLocal else { return true }
        return applied.permits(version.reach, for: request.question)
    }

    /// The image in memory, if it is for `request`.
    func image(for key: CacheKey, _ request: Request) -> Image? {
        guard let image = imageCache(for: request)?.image(for: key), permits(image.metadata.original, request) else {
            return nil
        }
        return image
    }

    /// Whether a loader that could be the one of `request` restricts anything; mostly decided when the manager was made.
    private func mayRestrictAccess(_ request: Request) -> Bool {
        request.context.loader?.restrictsAccess ?? restrictsAccess
    }
}

extension Request {
    /// What a loader is asked about this request.
    fileprivate var question: LoadRequest { LoadRequest(url: url, context: context) }
}
