import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Access control: caches return only entries that the request could have loaded itself.
extension LoadPipeline {
    /// Checks, before any cache lookup, that no processor has failed and that the loader accepts `request`.
    ///
    /// - Throws: The error of the processor or the loader.
    func checkAccess(of request: Request) throws(ImageError) {
        if let failure = request.failure { throw failure }
        guard mayRestrictAccess(request), let loader = request.loader, loader.restrictsAccess else { return }
        try loader.applying(request.context).check(LoadRequest(url: request.url, context: request.context))
    }

    /// Returns whether `request` may use a cached entry made from `version`. If not, the entry counts as a miss.
    func permits(_ version: OriginalVersion?, for request: Request) -> Bool {
        let usesCredentials = version?.route?.usesCredentials ?? false
        guard usesCredentials || mayRestrictAccess(request) else { return true }
        guard let loader = request.loader else { return !usesCredentials }
        guard usesCredentials || loader.restrictsAccess else { return true }
        // The loader knows the current version of a local source. An entry without a version was stored by the app.
        let route: SourceRoute?? = version.flatMap { $0.isLocal ? nil : .some($0.route) }
        // The credentials of a loader may change while it is in use.
        if !usesCredentials, request.loaderMemo.withLock({ $0.permits(route) }) { return true }
        let applied = loader.applying(request.context)
        let loadRequest = LoadRequest(url: request.url, context: request.context)
        guard (try? applied.check(loadRequest)) != nil else { return false }
        if let route, !applied.permits(route, for: loadRequest) { return false }
        if !usesCredentials { request.loaderMemo.withLock { $0.add(route) } }
        return true
    }

    /// Returns whether the loader of `request` may refuse it. Without a loader in the context, that is known in
    /// advance.
    private func mayRestrictAccess(_ request: Request) -> Bool {
        request.context.loader?.restrictsAccess ?? restrictsAccess
    }
}
