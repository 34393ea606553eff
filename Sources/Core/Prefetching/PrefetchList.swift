import DarkroomPlatform
import Synchronization

/// One list of a `Prefetcher`: its counts and the progress that has not been read yet.
final class PrefetchList: Sendable {
    /// The outcome of one image.
    struct Outcome: Sendable {
        let url: URL
        var error: ImageError?
        var wasCached = false

        fileprivate var counts: Prefetcher.Counts {
            Prefetcher.Counts(finished: 1, failed: error == nil ? 0 : 1, cached: wasCached ? 1 : 0)
        }
    }

    private struct State {
        var counts = Prefetcher.Counts()
        var task: Task<Void, Never>?
        var isOver = false
    }

    private let state = Mutex(State())
    private let totals: PrefetchTotals
    private let progress: EventChannel<Prefetcher.Progress, Never>?

    /// Creates a list of `totalCount` images, whose counts are part of `totals` until it ends.
    ///
    /// - Parameters:
    ///   - totalCount: The number of images; `nil` if it is known only as URLs are read.
    ///   - totals: The sum of the counts of all lists.
    ///   - isReported: Whether the list has a reader. Without one, its progress is not kept.
    init(totalCount: Int?, totals: PrefetchTotals, isReported: Bool) {
        self.totals = totals
        progress = isReported ? EventChannel() : nil
        state.withLock { _ = add(Prefetcher.Counts(total: totalCount ?? 0), to: &$0) }
    }

    /// The current counts.
    var counts: Prefetcher.Counts { state.withLock(\.counts) }

    /// Runs `work` in a task, unless the list was cancelled.
    func start(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            if !state.isOver { state.task = Task { await work() } }
        }
    }

    /// Waits until the list has ended and its loads have returned.
    func wait() async { await state.withLock(\.task)?.value }

    /// Counts the URL at `index` as read.
    func didRead(_ index: Int) {
        state.withLock { state in
            guard !state.isOver, index >= state.counts.total else { return }
            _ = add(Prefetcher.Counts(total: index + 1 - state.counts.total), to: &state)
        }
    }

    /// Counts `outcome` and reports it to the reader.
    func add(_ outcome: Outcome, at index: Int) {
        // Sent under the lock, so that the reported counts never decrease.
        state.withLock { state in
            guard !state.isOver else { return }
            let sum = add(outcome.counts, to: &state)
            progress?.send(
                Prefetcher.Progress(
                    index: index, url: outcome.url, error: outcome.error, wasCached: outcome.wasCached,
                    counts: state.counts, totalCounts: sum))
        }
    }

    /// Ends the sequence after the progress added so far.
    func finish() {
        state.withLock { end(&$0) }
        progress?.finish()
    }

    /// Cancels the work and ends the sequence at once.
    func cancel() {
        let task = state.withLock { state in
            end(&state)
            return state.task
        }
        progress?.cancel()
        task?.cancel()
    }

    private func add(_ counts: Prefetcher.Counts, to state: inout State) -> Prefetcher.Counts {
        state.counts += counts
        return totals.add(counts)
    }

    private func end(_ state: inout State) {
        if !state.isOver { totals.subtract(state.counts) }
        state.isOver = true
    }

    /// Returns the progress as a sequence. `cancel` is called when its reader leaves.
    func stream(cancelling cancel: @escaping @Sendable () -> Void) -> AsyncStream<Prefetcher.Progress> {
        guard let progress else { return AsyncStream { $0.finish() } }
        return progress.stream(cancelling: cancel)
    }
}

/// The sum of the counts of all lists of a `Prefetcher` that have not ended.
final class PrefetchTotals: Sendable {
    private let state = Mutex(Prefetcher.Counts())

    /// The current sum.
    var counts: Prefetcher.Counts { state.withLock(\.self) }

    /// Adds `counts` and returns the sum.
    func add(_ counts: Prefetcher.Counts) -> Prefetcher.Counts {
        state.withLock { sum in
            sum += counts
            return sum
        }
    }

    /// Subtracts the counts of a list that has ended.
    func subtract(_ counts: Prefetcher.Counts) {
        state.withLock { $0 -= counts }
    }
}

extension Prefetcher.Progress: FlightEvent {}

extension Prefetcher.Counts {
    fileprivate static func += (sum: inout Self, other: Self) { sum.combine(with: other, +) }

    fileprivate static func -= (sum: inout Self, other: Self) { sum.combine(with: other, -) }

    private mutating func combine(with other: Self, _ operation: (Int, Int) -> Int) {
        for count in [\Self.finished, \.failed, \.cached, \.total] {
            self[keyPath: count] = operation(self[keyPath: count], other[keyPath: count])
        }
    }
}
