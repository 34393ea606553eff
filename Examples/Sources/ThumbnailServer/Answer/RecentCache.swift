import Darkroom
import DequeModule
import NIOCore
import Synchronization

/// Holds so many bytes of representations: those that came first go first, but one that was asked for gets another round.
final class RepresentationCache: Sendable {
    private struct Entry {
        var representation: Representation
        var wasUsed = false
    }

    private struct State {
        var entries: [CacheKey: Entry] = [:]
        /// The keys of all entries, each once, the next to go first.
        var order: Deque<CacheKey> = []
        var byteCount = 0
    }

    private let byteLimit: Int
    private let state = Mutex(State())

    /// A cache of `byteLimit` bytes.
    init(byteLimit: Int) { self.byteLimit = byteLimit }

    /// How much is held.
    var counts: (entries: Int, bytes: Int) { state.withLock { ($0.entries.count, $0.byteCount) } }

    /// The representation under `key`.
    func representation(for key: CacheKey) -> Representation? {
        state.withLock { state in
            guard let index = state.entries.index(forKey: key) else { return nil }
            state.entries.values[index].wasUsed = true
            return state.entries.values[index].representation
        }
    }

    /// Keeps `representation`, unless it would take a quarter of the cache.
    func store(_ representation: Representation, for key: CacheKey) {
        guard representation.body.readableBytes <= byteLimit / 4 else { return }
        state.withLock { state in
            if let old = state.entries.updateValue(Entry(representation: representation), forKey: key) {
                state.byteCount -= old.representation.body.readableBytes
            } else {
                state.order.append(key)
            }
            state.byteCount += representation.body.readableBytes
            while state.byteCount > byteLimit, let key = state.order.popFirst() { Self.pass(key, &state) }
        }
    }

    /// Drops the entry that came first, or gives it another round.
    private static func pass(_ key: CacheKey, _ state: inout State) {
        guard let entry = state.entries[key] else { return }
        if entry.wasUsed {
            state.entries[key]?.wasUsed = false
            state.order.append(key)
        } else {
            state.entries[key] = nil
            state.byteCount -= entry.representation.body.readableBytes
        }
    }
}
