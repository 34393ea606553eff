import DarkroomPlatform

/// The key of a shared run: the cache key, and everything else that may make one request fail where another succeeds.
///
/// It is a class to keep the frame of a waiting caller small.
final class FlightKey: Hashable, Sendable {
    /// A further condition for sharing a run among requests with the same key and context.
    enum Scope: Hashable, Sendable {
        case all
        /// The same URL: a key filter may give the same key to other URLs.
        case url(URL)
        /// The same version of the original.
        case revision(String?)
    }

    /// The circumstances in which a run begins. Loads that begin in others start other runs.
    struct Circumstances: Hashable, Sendable {
        /// The generation of the source in the manager, which a removal ends.
        var generation: UInt64 = 0
        /// The state of the loader.
        var transferState = ""
    }

    private let key: CacheKey
    private let fragments: [String]
    private let isCached: Bool
    private let scope: Scope
    private let circumstances: Circumstances

    init(
        _ key: CacheKey, context: ImageContext, isCached: Bool, scope: Scope = .all,
        in circumstances: Circumstances = .init()
    ) {
        self.circumstances = circumstances
        self.key = key
        self.isCached = isCached
        self.scope = scope
        fragments = context.flightFragments
    }

    static func == (left: FlightKey, right: FlightKey) -> Bool {
        left === right
            || left.key == right.key && left.isCached == right.isCached && left.scope == right.scope
                && left.circumstances == right.circumstances
                && left.fragments.elementsEqual(right.fragments) { $0.hasBytes(of: $1) }
    }

    func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension Request {
    /// Returns the key of the run that makes the result.
    func resultFlight(in circumstances: FlightKey.Circumstances = .init()) -> FlightKey {
        isScopedToURL
            ? FlightKey(unfilteredKey, context: context, isCached: true, scope: .url(url), in: circumstances)
            : FlightKey(key ?? unfilteredKey, context: context, isCached: key != nil, in: circumstances)
    }

    /// Returns the key of the run that fetches the original.
    func originalFlight(in circumstances: FlightKey.Circumstances = .init()) -> FlightKey {
        var context = context.withSharedOriginal
        if context.cachePolicy != CachePolicy() { context.cachePolicy = CachePolicy(ofOriginalsOf: self) }
        let key = originalKey ?? CacheKey(source: url.absoluteString, context.sourceVariant)
        return FlightKey(
            key, context: context, isCached: self.key != nil, scope: isScopedToURL ? .url(url) : .all,
            in: circumstances)
    }

    /// The key of the run that decodes `original`: the same for all requests that differ only by their transformers, if
    /// these need the same pixels.
    func decodeFlight(of original: Original) -> FlightKey {
        decodeFlight(
            changing: { $0.transformers = [] }, reduction: reduction, scope: .revision(original.version?.revision))
    }

    /// The common key of requests that decode the same image at any size.
    var sizelessFlight: FlightKey {
        decodeFlight(
            changing: {
                $0.thumbnail = nil
                $0.transformers = []
            }, scope: .all)
    }

    private var unfilteredKey: CacheKey { CacheKey(source: url.absoluteString, context.variant) }

    private func decodeFlight(
        changing change: (inout ImageContext) -> Void, reduction: Reduction? = nil, scope: FlightKey.Scope
    ) -> FlightKey {
        var context = context.forSharedDecode
        if !context.transformsAnimations { context.transformsAnimations = true }
        change(&context)
        let source = self.key?.source ?? url.absoluteString
        let variant = reduction.map { Variant(context.variant.parts + ["\($0)"]) } ?? context.variant
        let key = CacheKey(source: source, variant)
        return FlightKey(key, context: context, isCached: self.key != nil, scope: scope)
    }
}

extension CachePolicy {
    /// Creates the policy that reads and stores originals where `request` does, and is otherwise the default.
    fileprivate init(ofOriginalsOf request: Request) {
        self.init()
        let policy = request.context.cachePolicy
        if request.isVariant {
            (originalQuery, originalStore) = (policy.originalQuery, policy.originalStore.intersection(.disk))
        } else {
            // The result of a plain load is the original, which it looks for undecoded.
            originalQuery = policy.query.intersection(.disk)
            originalStore = policy.store.union(policy.originalStore).intersection(.disk)
        }
    }
}

extension ImageContext {
    /// The context without the options that only affect what is made from an original.
    fileprivate var withSharedOriginal: ImageContext {
        guard preloadsFrames || !transformsAnimations || acceptsIncomplete else { return self }
        var context = forSharedDecode
        context.preloadsFrames = false
        context.transformsAnimations = true
        return context
    }
}
