import DarkroomPlatform
import Synchronization

/// The entries of caches that one request may use: those that its loader could have reached by the same route, while they
/// are fresh or may be served stale.
struct CacheRules: FreshnessContext, Sendable {
    let request: Request
    /// The caches of the manager.
    let manager: ManagerCaches

    var context: ImageContext { request.context }

    /// The current time of the manager.
    var now: Date { manager.components.now() }

    /// The data cache of results and files: that of the context, or else that of the manager.
    var resultCache: (any DataCache)? { context.dataCache ?? manager.components.dataCache }

    /// The serializer of entries: that of the context, or else that of the manager; `nil` if there is none.
    var serializer: (any CacheSerializer)? { context.serializer ?? manager.components.serializer }

    var isLocal: Bool { request.isLocal }

    func isCurrentLocally(_ revision: String) -> Bool { request.localRevision == revision }

    /// The header fields that the loader would send now, with lowercase names.
    var requestFields: [String: String] { request.loader?.requestFields(for: loadRequest) ?? [:] }

    func requestFields(along route: SourceRoute?) -> [String: String] {
        var fields = requestFields
        // Each target of a redirect may get cookies and credentials of its own.
        for hop in route?.hops.dropFirst() ?? [] {
            let sent = request.loader?.requestFields(for: LoadRequest(url: hop.url, context: context)) ?? [:]
            fields.merge(sent.filter { VariedFields.isCredential($0.key) }) { $0.isEmpty ? $1 : $0 }
        }
        return fields
    }

    /// Returns the verdict on an entry made from `version`.
    func verdict(on version: OriginalVersion?) -> CacheDecision { version.verdict(for: self, at: now) }

    /// Returns whether an entry made from `version` may be used in place of `error`, which occurred on revalidation.
    func allowsStale(_ version: OriginalVersion?, after error: ImageError) -> Bool {
        version.allowsUse(after: error, for: self, at: now)
    }

    /// Checks, before any cache lookup, that no processor has failed and that the loader accepts the request.
    ///
    /// - Throws: The error of the processor or the loader.
    func checkAccess() throws(ImageError) {
        if let failure = request.failure { throw failure }
        guard loaderMayRefuse, let loader = request.loader, loader.restrictsAccess else { return }
        try loader.applying(context).check(loadRequest)
    }

    /// Returns whether the request may use an entry made from `version`. If not, the entry counts as a miss.
    func permits(_ version: OriginalVersion?) -> Bool {
        let usesCredentials = version?.route?.usesCredentials ?? false
        guard usesCredentials || loaderMayRefuse else { return true }
        guard let loader = request.loader else { return !usesCredentials }
        guard usesCredentials || loader.restrictsAccess else { return true }
        // The loader knows the current version of a local source. An entry without a version was stored by the app.
        let route: SourceRoute?? = version.flatMap { $0.isLocal ? nil : .some($0.route) }
        // The credentials of a loader may change while it is in use.
        if !usesCredentials, request.loaderMemo.withLock({ $0.permits(route) }) { return true }
        let applied = loader.applying(context)
        guard (try? applied.check(loadRequest)) != nil else { return false }
        if let route, !applied.permits(route, for: loadRequest) { return false }
        if !usesCredentials { request.loaderMemo.withLock { $0.add(route) } }
        return true
    }

    /// Returns what a lookup has found out about an entry made from `version`.
    func finding(_ version: OriginalVersion?) -> CacheFinding {
        permits(version) ? .entry(version, verdict(on: version)) : .withheld
    }

    private var loadRequest: LoadRequest { LoadRequest(url: request.url, context: context) }

    /// Whether the loader of the request may refuse it. Without a loader in the context, that is known in advance.
    private var loaderMayRefuse: Bool { context.loader?.restrictsAccess ?? manager.restrictsAccess }
}

/// The finding of a lookup in one place, without changing anything.
enum CacheFinding {
    /// The request must not look there.
    case notRead
    case miss
    /// An entry that the loader of the request could not have reached by the same route, which counts as a miss.
    case withheld
    /// An entry of the shared cache that is older than what a cache of the manager has had, which counts as a miss.
    case outdated
    /// An entry of this version, and the verdict on it.
    case entry(OriginalVersion?, CacheDecision)

    /// The verdict on the entry, if one was found.
    var verdict: CacheDecision? { if case .entry(_, let verdict) = self { verdict } else { nil } }

    /// Whether the entry may be used now, or after its origin server confirms it.
    var isUsableOnceFresh: Bool { verdict.map { ![.localChanged, .varies].contains($0) } ?? false }
}
