import Synchronization

/// The stores in flight to the data caches: entries already delivered but not yet stored. Lookups find them here
/// meanwhile.
///
/// Stores at the same place run one at a time, in the order of the calls. While `byteLimit` bytes are pending, further
/// entries are not stored: a disk slower than the network must neither fill the memory nor delay a delivery.
final class PendingStores: Sendable {
    /// The content of an entry that is being stored.
    struct Content: Sendable {
        /// The memory that the entry occupies until it is stored, in bytes.
        var byteCount: Int
        /// The whole entry, if it is known before it is encoded.
        var entry: DataEntry?
        /// The version of the original that it was made from.
        var version: OriginalVersion?
        /// The ticket with which it is stored.
        var ticket = StoreTicket.unchecked
    }

    /// Where an entry is being stored.
    struct Place: Hashable {
        let key: CacheKey
        /// Whether the cache is one of a context, of which there may be several, and not one of the manager.
        var isOfContext = false
    }

    private struct Store {
        let id: Int
        let content: Content
        let task: Task<Void, any Error>
    }

    private struct State {
        var stores: [Place: Store] = [:]
        var byteCount = 0
        var lastID = 0
    }

    private let byteLimit: Int
    private let state = Mutex(State())

    init(byteLimit: Int = 32 << 20) { self.byteLimit = byteLimit }

    /// Starts `body`, which stores `content` at `place`. Returns false if too many bytes are pending already.
    func store(_ content: Content, at place: Place, body: @escaping @Sendable () async -> Void) -> Bool {
        var content = content
        // Clamped, so that the sum cannot overflow. An entry above the limit is stored, but nothing beside it.
        content.byteCount = min(max(0, content.byteCount), byteLimit)
        return state.withLock { state in
            guard state.byteCount < byteLimit else { return false }
            start(content, at: place, in: &state, body: body)
            return true
        }
    }

    /// Starts `body`, which stores `content` at `place`, however many bytes are pending: the caller holds them itself,
    /// until the returned task has ended.
    func startStore(
        of content: Content, at place: Place, body: @escaping @Sendable () async throws -> Void
    ) -> Task<Void, any Error> {
        var content = content
        content.byteCount = 0
        return state.withLock { start(content, at: place, in: &$0, body: body) }
    }

    /// Returns the content that is being stored at `place`. The cache may refuse it: check its ticket.
    func content(at place: Place) -> Content? { state.withLock { $0.stores[place]?.content } }

    /// Waits until all stores started so far have ended, those of `source` or all of them.
    func wait(forSource source: String? = nil) async {
        for task in tasks(forSource: source) { _ = await task.result }
    }

    /// Returns the tasks of the stores in flight, those of `source` or all of them.
    func tasks(forSource source: String? = nil) -> [Task<Void, any Error>] {
        state.withLock { state in
            state.stores.filter { source == nil || $0.key.key.source == source }.map(\.value.task)
        }
    }

    @discardableResult
    private func start(
        _ content: Content, at place: Place, in state: inout State, body: @escaping @Sendable () async throws -> Void
    ) -> Task<Void, any Error> {
        let before = state.stores[place]?.task
        state.lastID += 1
        let id = state.lastID
        let task = Task { [self] in
            defer { end(place, id: id, byteCount: content.byteCount) }
            _ = await before?.result
            try await body()
        }
        state.stores[place] = Store(id: id, content: content, task: task)
        state.byteCount += content.byteCount
        return task
    }

    private func end(_ place: Place, id: Int, byteCount: Int) {
        state.withLock { state in
            state.byteCount -= byteCount
            if state.stores[place]?.id == id { state.stores[place] = nil }
        }
    }
}
