#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Finds out what a load would do, with the same look-ups and verdicts, and changes nothing.
struct LoadPlanner {
    private let request: Request
    private let pipeline: LoadPipeline
    private var plan: LoadPlan

    init(_ request: Request, pipeline: LoadPipeline) {
        self.request = request
        self.pipeline = pipeline
        plan = LoadPlan(url: request.url, key: request.key)
    }

    /// The places that the load would look into, up to the one that has the picture, and what it would find.
    mutating func makePlan() async -> LoadPlan {
        let caches = pipeline.caches(for: request)
        for place in Place.all(of: request) {
            if note(await caches.peek(into: place.tier), in: place) { return plan }
        }
        noteLoader()
        return plan
    }

    /// Notes what `place` has. True when the load ends there.
    private mutating func note(_ finding: RequestCaches.Finding, in place: Place) -> Bool {
        plan.steps.append(.init(place: place.name, finding: finding.description))
        guard let verdict = finding.verdict else { return false }
        plan.decision = verdict
        guard place.accepts(verdict) else { return false }
        plan.origin = place.origin
        return true
    }

    private mutating func noteLoader() {
        if request.context.cacheUse == .loaderOnly { plan.decision = .bypassed(.loaderOnly) }
        do throws(ImageError) {
            guard request.context.cacheUse != .cacheOnly else { throw .cacheOnlyMiss }
            try pipeline.checkAccess(of: request)
            let loader = try pipeline.readyLoader(for: request)
            plan.steps.append(.init(place: "loader", finding: "\(type(of: loader))"))
            plan.origin = loader.localVersion(of: request.url) == nil ? .network : .local
        } catch {
            plan.steps.append(.init(place: "loader", finding: error.message))
            plan.failure = error
        }
    }
}

/// A tier that a load looks into, and how a plan names it.
private struct Place {
    let name: String
    let tier: CacheTiers
    /// Where a picture found there comes from.
    let origin: LoadResult.Origin

    /// The places for `request`, in the order of a load.
    static func all(of request: Request) -> [Place] {
        let memory = Place(name: "memory", tier: .memory, origin: .memory)
        let disk = Place(name: "original on disk", tier: .originals, origin: request.isVariant ? .original : .disk)
        guard request.isVariant else { return [memory, disk] }
        var places = [memory, Place(name: "result on disk", tier: .results, origin: .disk)]
        if request.context.cachePolicy.originalQuery.contains(.memory) {
            places.append(Place(name: "original in memory", tier: .decodedOriginals, origin: .memory))
        }
        return places + [disk]
    }

    func accepts(_ verdict: CacheDecision) -> Bool {
        // A stale decoded original is not revalidated by itself: the one on disk is.
        if case .staleWhileRevalidating = verdict, tier == .decodedOriginals { return false }
        return verdict.allowsUse
    }
}

extension RequestCaches.Finding: CustomStringConvertible {
    var description: String {
        switch self {
        case .notConsulted: "not asked"
        case .miss: "nothing"
        case .withheld: "withheld: the loader may not reach it as it was reached"
        case .entry(_, let verdict): "\(verdict)"
        }
    }
}
