#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Predicts what a load would do, by the same lookups and verdicts, without changing anything.
struct LoadPlanner {
    private let request: Request
    private let pipeline: LoadPipeline
    private var plan: LoadPlan
    /// The entries found that the load uses only if it fails, in order.
    private var unused: [(lookup: Lookup, version: OriginalVersion?)] = []
    /// The version of the entry that the load delivers in place of an error; `nil` if it delivers none.
    private var substitute: OriginalVersion??

    init(_ request: Request, pipeline: LoadPipeline) {
        self.request = request
        self.pipeline = pipeline
        plan = LoadPlan(url: request.url, key: request.key)
    }

    /// Performs the lookups of the load, up to the one that finds the image, and returns the findings.
    mutating func makePlan() async -> LoadPlan {
        let caches = pipeline.caches(for: request)
        for lookup in Lookup.all(of: request) {
            if record(await caches.peek(into: lookup.tier), of: lookup) { return plan }
            if let key = plan.key, await recordShared(lookup, at: key, in: caches) { return plan }
        }
        recordLease()
        recordLoader()
        return plan
    }

    /// Records the lookup in the shared cache that follows `lookup`, if there is one. Returns true if the load ends
    /// there.
    private mutating func recordShared(_ lookup: Lookup, at key: CacheKey, in caches: RequestCaches) async -> Bool {
        switch lookup.tier {
        case .results:
            guard let sharing = caches.sharedResults else { return false }
            return record(await caches.peek(into: sharing, at: key), of: .shared("result"))
        case .originals:
            guard let sharing = caches.sharedOriginals else { return false }
            return record(await caches.peek(into: sharing, at: request.originalKey ?? key), of: .shared("original"))
        default: return false
        }
    }

    private mutating func recordLease() {
        guard pipeline.shared?.options.leases != nil, RequestSharing(for: request, in: pipeline) != nil,
            request.context.cacheUse == .standard
        else { return }
        plan.steps.append(.init(location: "lease", finding: "taken, unless another node has it"))
    }

    /// Records the finding of `lookup`. Returns true if the load ends there.
    private mutating func record(_ finding: RequestCaches.Finding, of lookup: Lookup) -> Bool {
        plan.steps.append(.init(location: lookup.name, finding: finding.description))
        guard case .entry(let version, let verdict) = finding else { return false }
        plan.decision = verdict
        guard lookup.accepts(verdict) else {
            unused.append((lookup, version))
            return false
        }
        plan.origin = lookup.origin
        return true
    }

    /// Returns the plan of an encoded load: the lookup of the file, and then those of the image.
    static func makePlan(of request: EncodedRequest, pipeline: LoadPipeline) async -> LoadPlan {
        var planner = LoadPlanner(request.image.forEncoding, pipeline: pipeline)
        guard let key = request.key else { return await planner.makePlan() }
        planner.plan = LoadPlan(url: request.image.url, key: key)
        let caches = pipeline.caches(for: request.image)
        let finding = await caches.peekAtEncodedResult(at: key)
        let file = Lookup(name: "encoded result", tier: .results, origin: .disk)
        if planner.record(finding, of: file) { return planner.plan }
        let stored = planner.unused.first
        if let sharing = caches.sharedFiles,
            planner.record(await caches.peek(into: sharing, at: key, isFile: true), of: .shared("encoded result"))
        {
            return planner.plan
        }
        planner.unused = []
        let plan = await planner.makePlan()
        if let stored, let error = plan.failure, caches.allowsStale(stored.version, after: error) {
            planner.use(stored.lookup.origin, after: error)
        } else if let stored, let used = planner.substitute, used?.revision == stored.version?.revision {
            planner.plan.origin = stored.lookup.origin
        }
        return planner.plan
    }

    private mutating func recordLoader() {
        if request.context.cacheUse == .loaderOnly { plan.decision = .bypassed(.loaderOnly) }
        do throws(ImageError) {
            guard request.context.cacheUse != .cacheOnly else { throw .cacheOnlyMiss }
            try pipeline.checkAccess(of: request)
            let loader = try pipeline.readyLoader(for: request)
            plan.steps.append(.init(location: "loader", finding: "\(type(of: loader))"))
            plan.origin = loader.localVersion(of: request.url) == nil ? .network : .local
        } catch {
            plan.steps.append(.init(location: "loader", finding: error.message))
            plan.failure = error
            useStaleEntry(after: error)
        }
    }

    /// Records the entry that the load delivers in place of `error`, if there is one: made from a stale original, or else
    /// stale itself.
    private mutating func useStaleEntry(after error: ImageError) {
        let caches = pipeline.caches(for: request)
        let (image, result) = (unused(.memory), unused(.results))
        if let original = unused(.originals) ?? unused.first(where: { $0.lookup.isSharedOriginal }),
            caches.allowsStale(original.version, after: error)
        {
            let made = [image, result].compactMap(\.self).first { $0.version?.revision == original.version?.revision }
            substitute = original.version
            use(made?.lookup.origin ?? (request.isVariant ? .original : .disk), after: error)
        } else if let entry = [result, image].compactMap(\.self).first(where: {
            caches.allowsStale($0.version, after: error)
        }) {
            substitute = entry.version
            use(entry.lookup.origin, after: error)
        }
    }

    private mutating func use(_ origin: LoadResult.Origin, after error: ImageError) {
        plan.failure = nil
        plan.origin = origin
        plan.decision = .staleOnError(error.cause.kind)
    }

    private func unused(_ tier: CacheTiers) -> (lookup: Lookup, version: OriginalVersion?)? {
        unused.first { $0.lookup.tier == tier }
    }
}

/// A lookup of a load in one tier, and its name in the plan.
private struct Lookup {
    let name: String
    let tier: CacheTiers
    /// The origin of an image found there.
    let origin: LoadResult.Origin

    /// Returns the lookups of `request` in order.
    static func all(of request: Request) -> [Lookup] {
        let memory = Lookup(name: "memory", tier: .memory, origin: .memory)
        let disk = Lookup(name: "original on disk", tier: .originals, origin: request.isVariant ? .original : .disk)
        guard request.isVariant else { return [memory, disk] }
        var lookups = [memory, Lookup(name: "result on disk", tier: .results, origin: .disk)]
        if request.context.cachePolicy.originalQuery.contains(.memory) {
            lookups.append(Lookup(name: "original in memory", tier: .decodedOriginals, origin: .memory))
        }
        return lookups + [disk]
    }

    /// Whether it looks up the original in the shared cache.
    var isSharedOriginal: Bool { tier.isEmpty && name == Self.shared("original").name }

    static func shared(_ name: String) -> Lookup {
        Lookup(name: "\(name) in the shared cache", tier: [], origin: .sharedCache)
    }

    func accepts(_ verdict: CacheDecision) -> Bool {
        // A stale decoded original is not revalidated itself; the one on disk is.
        if case .staleWhileRevalidating = verdict, tier == .decodedOriginals { return false }
        return verdict.allowsUse
    }
}

extension RequestCaches.Finding: CustomStringConvertible {
    var description: String {
        switch self {
        case .notRead: "not read"
        case .miss: "miss"
        case .withheld: "withheld: the loader could not have reached it by the same route"
        case .outdated: "outdated: this node has had a later response"
        case .entry(_, let verdict): "\(verdict)"
        }
    }
}
