#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Synchronization

/// One list of a `Prefetcher`: its counts, and what nobody has read yet.
final class PrefetchList: Sendable {
    /// What became of one picture.
    struct Answer: Sendable {
        let url: URL
        var error: ImageError?
        var wasCached = false
    }

    private struct State {
        var counts = Prefetcher.Counts()
        /// The newest comes last.
        var added: [Prefetcher.Progress] = []
        /// What was added before that; the newest comes first.
        var unread: [Prefetcher.Progress] = []
        var reader: CheckedContinuation<Prefetcher.Progress?, Never>?
        var task: Task<Void, Never>?
        var isOver = false
    }

    private let state: Mutex<State>

    /// A list of so many pictures, or of as many as are read.
    init(totalCount: Int?) { state = Mutex(State(counts: .init(total: totalCount ?? 0))) }

    /// How far it is.
    var counts: Prefetcher.Counts { state.withLock(\.counts) }

    /// Runs `work`, unless the list was cancelled.
    func start(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            if !state.isOver { state.task = Task { await work() } }
        }
    }

    /// Notes that the URL at `index` was read.
    func noteRead(_ index: Int) { state.withLock { $0.counts.total = max($0.counts.total, index + 1) } }

    /// Counts `answer`, and tells of it.
    func add(_ answer: Answer, at index: Int) {
        // Made under the lock, so that counts never go back.
        let (reader, progress) = state.withLock { state in
            state.counts.add(answer)
            let progress = Prefetcher.Progress(
                index: index, url: answer.url, error: answer.error, wasCached: answer.wasCached, counts: state.counts)
            if state.reader == nil, !state.isOver { state.added.append(progress) }
            return (state.reader.take(), progress)
        }
        reader?.resume(returning: progress)
    }

    /// Ends what is told, once all of it is read.
    func finish() {
        state.withLock { state in
            state.isOver = true
            return state.reader.take()
        }?.resume(returning: nil)
    }

    /// Ends the list now, and what is told of it.
    func cancel() {
        let (task, reader) = state.withLock { state in
            state.isOver = true
            (state.added, state.unread) = ([], [])
            return (state.task.take(), state.reader.take())
        }
        task?.cancel()
        reader?.resume(returning: nil)
    }

    /// What was not read yet; `nil` at the end. One reader at a time.
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
