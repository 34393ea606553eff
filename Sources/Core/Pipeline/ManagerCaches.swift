import DarkroomPlatform

/// The caches of a manager, and what all its requests have in common when they use them.
final class ManagerCaches: Sendable {
    let components: ImageManager.Components
    /// The state of the shared cache; `nil` if there is none.
    let shared: SharedCacheState?
    let pendingStores = PendingStores()
    /// Whether a loader of the manager may refuse a request. It is computed once, because every lookup needs it.
    let restrictsAccess: Bool

    init(_ components: ImageManager.Components) {
        self.components = components
        shared = components.shared.map { SharedCacheState($0) }
        restrictsAccess = components.loaders.contains { $0.restrictsAccess }
    }

    /// Waits until every store started so far has ended.
    func waitForStores() async {
        await pendingStores.wait()
        await shared?.wait()
    }

    /// Removes everything. Throws the first error of a cache.
    func removeAll() async throws {
        images?.removeAll()
        // Once more at the end, for images that a load has read from the data caches meanwhile.
        defer { images?.removeAll() }
        shared?.remove(source: nil, before: components.now(), reporting: reportFailure(of: CacheKey(source: "")))
        var failure: (any Error)?
        for cache in data {
            do {
                let ticket = try? await cache.ticket(forSource: "")
                if ticket?.isChecked == false { await pendingStores.wait() }
                try await cache.removeAll()
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// Removes what another node has removed from the shared cache: everything of `source`, or everything if it is `nil`.
    func purge(source: String?) async {
        // Before a run takes a ticket of the shared cache for what it makes of one of them.
        removeImages(ofSource: source)
        shared?.ignore(source: source, before: components.now())
        for cache in data {
            await attempt(CacheKey(source: source ?? "")) {
                if let source { try await cache.removeAll(ofSource: source) } else { try await cache.removeAll() }
            }
        }
        removeImages(ofSource: source)
    }

    /// Returns a function that reports an error of a cache to the observers.
    func reportFailure(of key: CacheKey, isRead: Bool = false) -> @Sendable (any Error) -> Void {
        { [observers = components.observers] error in
            // Cancellation is not a failure of the cache.
            guard ImageError(error, in: .cache).kind != .cancelled else { return }
            for observer in observers { observer.cacheFailed(error, isRead: isRead, key: key) }
        }
    }

    /// Runs `body`, an operation of a cache. An error counts as a miss and is reported to the observers.
    @discardableResult
    func attempt<Value>(
        _ key: CacheKey, isRead: Bool = false, body: () async throws -> Value
    ) async -> Value? {
        do {
            return try await body()
        } catch {
            reportFailure(of: key, isRead: isRead)(error)
            return nil
        }
    }

    /// The cache of decoded images, originals and results.
    private var images: (any ImageCache)? { components.imageCache }

    /// The data caches, in the direction in which loads copy entries.
    private var data: [any DataCache] { [components.originalCache, components.dataCache].compactMap(\.self) }

    private func removeImages(ofSource source: String?) {
        if let source { images?.removeAll(ofSource: source) } else { images?.removeAll() }
    }
}
