#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
import Synchronization

/// Loads images before they are needed: a few at a time, and by default at low priority.
///
/// Lists are independent of each other, but share the limit on concurrent loads. Loads in progress elsewhere for the
/// same images are joined, not repeated.
public final class Prefetcher: Sendable {
    /// The outcome of one image of a list.
    public struct Progress: Sendable {
        /// The index of the image in the list.
        public let index: Int

        /// The URL of the image.
        public let url: URL

        /// The reason why the image could not be loaded; `nil` if it was loaded or already cached.
        public let error: ImageError?

        /// Whether the image was already cached, so that nothing was loaded.
        public let wasCached: Bool

        /// The counts of the list, including this image.
        public let counts: Counts

        /// The number of images of the list finished so far, whatever the outcome.
        public var finishedCount: Int { counts.finished }

        /// The number of these that failed.
        public var failedCount: Int { counts.failed }

        /// The number of these that were already cached.
        public var cachedCount: Int { counts.cached }

        /// The number of images in the list; for an asynchronous sequence, the number read so far.
        public var totalCount: Int { counts.total }
    }

    /// The progress of one or more lists.
    public struct Counts: Hashable, Sendable {
        /// The number of finished images, whatever the outcome.
        public var finished = 0

        /// The number of these that failed.
        public var failed = 0

        /// The number of these that were already cached.
        public var cached = 0

        /// The number of images in total.
        public var total = 0

        /// Creates counts, such as those of a list that has not begun: all are 0.
        public init(finished: Int = 0, failed: Int = 0, cached: Int = 0, total: Int = 0) {
            self.finished = finished
            self.failed = failed
            self.cached = cached
            self.total = total
        }
    }

    private let manager: ImageManager
    private let queue: AdmissionQueue
    private let lists = Mutex<[ObjectIdentifier: PrefetchList]>([:])

    /// Creates a prefetcher into the caches of `manager` that loads at most `maxConcurrentLoads` images at a time, at
    /// least 1.
    public init(_ manager: ImageManager, maxConcurrentLoads: Int = 3) {
        self.manager = manager
        queue = AdmissionQueue(limit: maxConcurrentLoads)
    }

    /// The maximum number of concurrent loads of all lists together. A change takes effect immediately.
    public var maxConcurrentLoads: Int {
        get { queue.limit }
        set { queue.limit = newValue }
    }

    /// The sum of the counts of all lists that have not ended.
    public var counts: Counts {
        lists.withLock { Array($0.values) }.map(\.counts).reduce(into: Counts()) { sum, list in
            sum.finished += list.finished
            sum.failed += list.failed
            sum.cached += list.cached
            sum.total += list.total
        }
    }

    /// Loads `urls` in order and returns a sequence of their outcomes, which ends after the last one.
    ///
    /// A URL that occurs twice is reported twice. Images already cached are neither loaded nor decoded. The priority is
    /// low unless `context` sets one. Leaving the sequence cancels the rest of the list, but not loads that others
    /// share.
    public func prefetch(_ urls: [URL], context: ImageContext = .init()) -> AsyncStream<Progress> {
        prefetch(PrefetchList(totalCount: urls.count), context: context) {
            var rest = urls.makeIterator()
            await $0 { rest.next() }
        }
    }

    /// Loads the URLs of an asynchronous sequence in order, like `prefetch(_:context:)` of an array.
    ///
    /// The URLs are read as they are needed, no further ahead than the limit on concurrent loads allows.
    public func prefetch(
        _ urls: some AsyncSequence<URL, Never> & Sendable, context: ImageContext = .init()
    ) -> AsyncStream<Progress> {
        prefetch(PrefetchList(totalCount: nil), context: context) {
            var rest = urls.makeAsyncIterator()
            await $0 { await rest.next(isolation: #isolation) }
        }
    }

    /// Cancels all lists. After it returns, none of them reports anything.
    public func cancelAll() {
        let lists = lists.withLock { lists in
            defer { lists = [:] }
            return lists.values
        }
        for list in lists { list.cancel() }
    }

    /// Runs `list`. `read` calls its argument with a function that returns the next URL.
    private func prefetch(
        _ list: PrefetchList, context: ImageContext,
        read: @escaping @Sendable ((_ next: () async -> URL?) async -> Void) async -> Void
    ) -> AsyncStream<Progress> {
        let context = context.withDefaults(ImageContext { $0.priority = .low })
        lists.withLock { $0[ObjectIdentifier(list)] = list }
        list.start { [self] in
            await read { await load(list, context: context, next: $0) }
            remove(list)
            list.finish()
        }
        return list.stream { [self] in
            remove(list)
            list.cancel()
        }
    }

    /// Loads the URLs that `next` returns, and returns when all are finished.
    private func load(_ list: PrefetchList, context: ImageContext, next: () async -> URL?) async {
        await withDiscardingTaskGroup { group in
            var index = 0
            while let url = await next() {
                list.didRead(index)
                guard let admission = try? await queue.admit() else { return }
                group.addTask { [manager, index] in
                    if let outcome = await manager.prefetch(url, context: context) { list.add(outcome, at: index) }
                    admission.release()
                }
                index += 1
            }
        }
    }

    private func remove(_ list: PrefetchList) { lists.withLock { $0[ObjectIdentifier(list)] = nil } }
}

extension ImageManager {
    /// Prefetches one image and returns the outcome; `nil` if the list was cancelled.
    fileprivate func prefetch(_ url: URL, context: ImageContext) async -> PrefetchList.Outcome? {
        if await isCached(url, context: context) { return .init(url: url, wasCached: true) }
        do throws(ImageError) {
            _ = try await load(url, context: context)
            return .init(url: url)
        } catch {
            return Task.isCancelled ? nil : .init(url: url, error: error)
        }
    }
}
