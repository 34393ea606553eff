package import DarkroomPlatform

/// A load that has searched the memory cache and not begun, so that its caller can show something first.
package struct PendingLoad: Sendable {
    fileprivate let manager: ImageManager
    fileprivate let request: Request

    /// The image in memory to show until it is refreshed; `nil` if there is none, or the load is not a refresh.
    package var imageBeforeRefresh: LoadResult? {
        guard request.context.cacheUse == .refresh else { return nil }
        request.readLocalVersionNow(at: manager.pipeline.components.now())
        return manager.pipeline.memoryHit(request.cacheOnly)
    }

    /// Begins the load. Returns its events, and an urgency with which its priority can be changed.
    package func begin() -> (events: LoadEvents, urgency: Urgency) {
        let urgency = request.context.urgency.adjustable
        return (manager.events(of: request.with { $0.urgency = urgency }), urgency)
    }
}

extension ImageManager {
    /// The start of a load that shows what is in memory before it suspends.
    package enum Start {
        case hit(LoadResult)
        case pending(PendingLoad)
    }

    /// Starts a load of `url`. With `searchesMemory`, a hit is returned, and observers are notified as for any load.
    package func start(_ url: URL, context: ImageContext, searchesMemory: Bool) -> Start {
        let lookup = searchesMemory ? memory.outcome(for: url, context: context) : .miss
        if case .hit(let hit) = lookup { return .hit(hit.result(for: url)) }
        let (start, request) = (ContinuousClock.now, request(for: url, context: context))
        if !lookup.isMiss { request.readLocalVersionNow(at: pipeline.components.now()) }
        guard !lookup.isMiss, let hit = pipeline.memoryHit(request) else {
            return .pending(PendingLoad(manager: self, request: request))
        }
        pipeline.notifyObservers(of: request, since: start, result: .success(hit))
        return .hit(hit)
    }
}
