#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
import Synchronization

/// Loads pictures before they are needed, a few at a time, and behind all others that are wanted now.
///
/// Lists are independent of each other, and share the places. Transfers of pictures that somebody else loads, too, are shared.
public final class Prefetcher: Sendable {
    /// What became of one picture of a list.
    public struct Progress: Sendable {
        /// Which one it was.
        public let url: URL

        /// Why it could not be had; `nil` when it is in the caches now.
        public let error: ImageError?

        /// How many of the list have been answered so far, whatever the answer.
        public let finishedCount: Int

        /// How many of these could not be had.
        public let failedCount: Int

        /// How many of these were in a cache before.
        public let cachedCount: Int

        /// How many there are in the list.
        public let totalCount: Int
    }

    private let manager: ImageManager
    private let queue: AdmissionQueue

    /// A prefetcher for the caches of `manager`, which loads `maxConcurrentLoads` pictures at a time, at least 1.
    public init(_ manager: ImageManager, maxConcurrentLoads: Int = 3) {
        self.manager = manager
        queue = AdmissionQueue(limit: maxConcurrentLoads)
    }

    /// How many pictures of all lists are loaded at a time; changes count at once.
    public var maxConcurrentLoads: Int {
        get { queue.limit }
        set { queue.limit = newValue }
    }

    /// Loads `urls` in their order, and tells of each when it is answered; the sequence ends with the last one.
    ///
    /// A URL that occurs twice is told of twice. What is cached already is neither loaded nor decoded. The priority is low
    /// unless `context` sets one. Leaving the sequence cancels what is left of the list; what others load, too, goes on.
    public func prefetch(_ urls: [URL], context: ImageContext = .init()) -> AsyncStream<Progress> {
        let context = context.withDefaults(ImageContext { $0.priority = .low })
        return AsyncStream { stream in
            let progress = ListProgress(totalCount: urls.count, stream)
            let task = Task { [manager, queue] in
                await withDiscardingTaskGroup { group in
                    for url in urls {
                        guard let admission = try? await queue.admit() else { return }
                        group.addTask {
                            if let answer = await manager.prefetch(url, context) { progress.add(answer) }
                            admission.release()
                        }
                    }
                }
                stream.finish()
            }
            stream.onTermination = { _ in task.cancel() }
        }
    }
}

extension ImageManager {
    /// `nil` when the list was cancelled.
    fileprivate func prefetch(_ url: URL, _ context: ImageContext) async -> Answer? {
        if await isCached(url, context: context) { return Answer(url: url, wasCached: true) }
        do throws(ImageError) {
            _ = try await load(url, context: context)
            return Answer(url: url)
        } catch {
            return Task.isCancelled ? nil : Answer(url: url, error: error)
        }
    }
}

private struct Answer: Sendable {
    let url: URL
    var error: ImageError?
    var wasCached = false
}

/// The counts of one list, and who is told of them.
private final class ListProgress: Sendable {
    private struct Counts {
        var finished = 0
        var failed = 0
        var cached = 0
    }

    private let totalCount: Int
    private let stream: AsyncStream<Prefetcher.Progress>.Continuation
    private let counts = Mutex(Counts())

    init(totalCount: Int, _ stream: AsyncStream<Prefetcher.Progress>.Continuation) {
        self.totalCount = totalCount
        self.stream = stream
    }

    func add(_ answer: Answer) {
        // Told under the lock, so that counts never go back.
        counts.withLock { counts in
            counts.finished += 1
            if answer.error != nil { counts.failed += 1 }
            if answer.wasCached { counts.cached += 1 }
            stream.yield(
                Prefetcher.Progress(
                    url: answer.url, error: answer.error, finishedCount: counts.finished, failedCount: counts.failed,
                    cachedCount: counts.cached, totalCount: totalCount))
        }
    }
}
