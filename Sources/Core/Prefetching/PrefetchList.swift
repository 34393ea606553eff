#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Synchronization

/// One list of a `Prefetcher`: its counts and the progress that has not been read yet.
final class PrefetchList: Sendable {
    /// The outcome of one image.
    struct Outcome: Sendable {
        let url: URL
        var error: ImageError?
        var wasCached = false
    }

    private struct State {
        var counts = Prefetcher.Counts()
        var task: Task<Void, Never>?
        var isOver = false
    }

    private let state: Mutex<State>
    private let progress = EventChannel<Prefetcher.Progress, Never>()

    /// Creates a list of `totalCount` images; `nil` if the number is known only as URLs are read.
    init(totalCount: Int?) { state = Mutex(State(counts: .init(total: totalCount ?? 0))) }

    /// The current counts.
    var counts: Prefetcher.Counts { state.withLock(\.counts) }

    /// Runs `work` in a task, unless the list was cancelled.
    func start(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            if !state.isOver { state.task = Task { await work() } }
        }
    }

    /// Counts the URL at `index` as read.
    func didRead(_ index: Int) { state.withLock { $0.counts.total = max($0.counts.total, index + 1) } }

    /// Counts `outcome` and reports it to the reader.
    func add(_ outcome: Outcome, at index: Int) {
        // Sent under the lock, so that the reported counts never decrease.
        state.withLock { state in
            state.counts.add(outcome)
            progress.send(
                Prefetcher.Progress(
                    index: index, url: outcome.url, error: outcome.error, wasCached: outcome.wasCached,
                    counts: state.counts))
        }
    }

    /// Ends the sequence after the progress added so far.
    func finish() {
        state.withLock { $0.isOver = true }
        progress.finish()
    }

    /// Cancels the work and ends the sequence at once.
    func cancel() {
        let task = state.withLock { state in
            state.isOver = true
            return state.task.take()
        }
        progress.cancel()
        task?.cancel()
    }

    /// Returns the progress as a sequence. `cancel` is called when its reader leaves.
    func stream(cancelling cancel: @escaping @Sendable () -> Void) -> AsyncStream<Prefetcher.Progress> {
        progress.stream(cancelling: cancel)
    }
}

extension Prefetcher.Progress: FlightEvent {}

extension Prefetcher.Counts {
    fileprivate mutating func add(_ outcome: PrefetchList.Outcome) {
        finished += 1
        if outcome.error != nil { failed += 1 }
        if outcome.wasCached { cached += 1 }
    }
}
