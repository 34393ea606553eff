#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// A request gets from the caches only what it could have loaded itself.
extension LoadPipeline {
    /// Checks that `request` could be rewritten, and that its loader takes it, before a cache is read.
    ///
    /// - Throws: The error of the processor that failed, or of the loader.
    func checkAccess(of request: Request) throws(ImageError) {
        if let failure = request.failure { throw failure }
        guard mayRestrictAccess(request), let loader = loader(for: request), loader.restrictsAccess else { return }
        try loader.applying(request.context).check(LoadRequest(url: request.url, context: request.context))
    }

    /// Whether `request` may have something in a cache that was made of `version`; otherwise it is a miss.
    func permits(_ version: OriginalVersion?, for request: Request) -> Bool {
        let usesCredentials = version?.route?.usesCredentials ?? false
        guard usesCredentials || mayRestrictAccess(request) else { return true }
        guard let loader = loader(for: request) else { return !usesCredentials }
        guard usesCredentials || loader.restrictsAccess else { return true }
        let applied = loader.applying(request.context)
        let loadRequest = LoadRequest(url: request.url, context: request.context)
        guard (try? applied.check(loadRequest)) != nil else { return false }
        // The loader knows the present version of a local source. An entry without a version was stored by the app.
        guard let version, !version.isLocal else { return true }
        return applied.permits(version.route, for: loadRequest)
    }

    /// Whether the loader of `request` may restrict anything; mostly decided when the manager was made.
    private func mayRestrictAccess(_ request: Request) -> Bool {
        request.context.loader?.restrictsAccess ?? restrictsAccess
    }
}
