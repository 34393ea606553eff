#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Synchronization

/// One list of a `Prefetcher`: its counts and the progress that has not been read yet.
final class PrefetchList: Sendable {
    /// The outcome of one image.
    struct Answer: Sendable {
        let url: URL
        var error: ImageError?
        var wasCached = false
    }

    private struct State {
        var counts = Prefetcher.Counts()
        /// The progress added since the reader last took a batch, the newest last.
        var added: [Prefetcher.Progress] = []
        /// The batch being read, in reverse: the oldest last.
        var unread: [Prefetcher.Progress] = []
        var reader: CheckedContinuation<Prefetcher.Progress?, Never>?
        var task: Task<Void, Never>?
        var isOver = false
    }

    private let state: Mutex<State>

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
    func noteRead(_ index: Int) { state.withLock { $0.counts.total = max($0.counts.total, index + 1) } }

    /// Counts `answer` and reports it to the reader.
    func add(_ answer: Answer, at index: Int) {
        // Created under the lock, so that the reported counts never decrease.
        let (reader, progress) = state.withLock { state in
            state.counts.add(answer)
            let progress = Prefetcher.Progress(
                index: index, url: answer.url, error: answer.error, wasCached: answer.wasCached, counts: state.counts)
            if state.reader == nil, !state.isOver { state.added.append(progress) }
            return (state.reader.take(), progress)
        }
        reader?.resume(returning: progress)
    }

    /// Ends the sequence after the progress added so far.
    func finish() {
        state.withLock { state in
            state.isOver = true
            return state.reader.take()
        }?.resume(returning: nil)
    }

    /// Cancels the work and ends the sequence at once.
    func cancel() {
        let (task, reader) = state.withLock { state in
            state.isOver = true
            (state.added, state.unread) = ([], [])
            return (state.task.take(), state.reader.take())
        }
        task?.cancel()
        reader?.resume(returning: nil)
    }

    /// Returns the next unread progress; `nil` at the end. One reader at a time.
    func next() async -> Prefetcher.Progress? {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { state -> Prefetcher.Progress?? in
                if state.unread.isEmpty {
                    state.unread = state.added.reversed()
                    state.added = []
                }
                if let progress = state.unread.popLast() { return progress }
                if state.isOver { return .some(nil) }
                state.reader = continuation
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }
}

extension Prefetcher.Counts {
    fileprivate mutating func add(_ answer: PrefetchList.Answer) {
        finished += 1
        if answer.error != nil { failed += 1 }
        if answer.wasCached { cached += 1 }
    }
}
