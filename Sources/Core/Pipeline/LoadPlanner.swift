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

    init(_ request: Request, pipeline: LoadPipeline) {
        self.request = request
        self.pipeline = pipeline
        plan = LoadPlan(url: request.url, key: request.key)
    }

    /// Performs the lookups of the load, up to the one that finds the image, and returns the findings.
    mutating func makePlan() async -> LoadPlan {
        let caches = pipeline.caches(for: request)
        for place in Place.all(of: request) {
            if note(await caches.peek(into: place.tier), in: place) { return plan }
        }
        noteLoader()
        return plan
    }

    /// Records the finding for `place`. Returns true if the load ends there.
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

/// A tier that a load reads, and its name in the plan.
private struct Place {
    let name: String
    let tier: CacheTiers
    /// The origin of an image found there.
    let origin: LoadResult.Origin

    /// Returns the places for `request` in lookup order.
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
        // A stale decoded original is not revalidated itself; the one on disk is.
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
