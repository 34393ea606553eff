#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ImageManager {
    /// What a load of `url` would do now, found out without loading, decoding or changing anything.
    public func explain(_ url: URL, context: ImageContext = .init()) async -> LoadPlan {
        let request = Request(url, context, self)
        var plan = LoadPlan(url: request.url, key: request.key)
        if look(into: "memory", memoryEntry(request), .memory, request, &plan) { return plan }
        if request.isVariant {
            let result = await diskEntry(
                request.key, dataCache(for: request), request.context.cachePolicy.query, request)
            if look(into: "result on disk", result, .disk, request, &plan) { return plan }
        }
        let original = await diskEntry(
            request.key?.original, originalCache(for: request), request.originalQuery, request)
        if look(into: "original on disk", original, request.isVariant ? .original : .disk, request, &plan) {
            return plan
        }
        explainLoader(request, &plan)
        return plan
    }

    /// What a place has.
    private enum Entry {
        case notAsked
        case nothing
        case withheld
        case version(OriginalVersion?)
    }

    private func memoryEntry(_ request: Request) -> Entry {
        guard let key = request.key, let cache = imageCache(for: request), request.context.cacheUse != .loaderOnly,
            request.context.cachePolicy.query.contains(.memory)
        else { return .notAsked }
        return cache.image(for: key).map { finding($0.metadata.original, request) } ?? .nothing
    }

    private func diskEntry(
        _ key: CacheKey?, _ cache: (any DataCache)?, _ tiers: CachePolicy.Tiers, _ request: Request
    ) async -> Entry {
        guard let key, let cache, request.context.cacheUse != .loaderOnly, tiers.contains(.disk) else {
            return .notAsked
        }
        guard let entry = (try? await cache.peek(at: key)) ?? nil else { return .nothing }
        return finding(entry.metadata.original, request)
    }

    private func finding(_ version: OriginalVersion?, _ request: Request) -> Entry {
        permits(version, request) ? .version(version) : .withheld
    }

    /// Notes what `place` has. True when that is the answer.
    private func look(
        into place: String, _ entry: Entry, _ origin: LoadResult.Origin, _ request: Request, _ plan: inout LoadPlan
    ) -> Bool {
        switch entry {
        case .notAsked:
            plan.steps.append(.init(place: place, finding: "not asked"))
            return false
        case .nothing:
            plan.steps.append(.init(place: place, finding: "nothing"))
            return false
        case .withheld:
            plan.steps.append(.init(place: place, finding: "withheld: the loader may not reach it as it was reached"))
            return false
        case .version(let version):
            let decision = decision(on: version, request)
            plan.steps.append(.init(place: place, finding: "\(decision)"))
            plan.decision = decision
            if decision.allowsUse { plan.origin = origin }
            return decision.allowsUse
        }
    }

    private func explainLoader(_ request: Request, _ plan: inout LoadPlan) {
        if request.context.cacheUse == .loaderOnly { plan.decision = .bypassed(.loaderOnly) }
        do throws(ImageError) {
            guard request.context.cacheUse != .cacheOnly else { throw .cacheOnlyMiss }
            try checkAccess(request)
            let loader = try readyLoader(for: request)
            plan.steps.append(.init(place: "loader", finding: "\(type(of: loader))"))
            plan.origin = loader.localVersion(of: request.url) == nil ? .network : .local
        } catch {
            plan.steps.append(.init(place: "loader", finding: error.message))
            plan.failure = error
        }
    }
}
