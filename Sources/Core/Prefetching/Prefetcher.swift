public import DarkroomPlatform
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

        /// The sum of the counts of all lists of the prefetcher that have not ended, including this image.
        public let totalCounts: Counts

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
    private let totals = PrefetchTotals()

    /// Creates a prefetcher into the caches of `manager` that loads at most `loadLimit` images at a time, at
    /// least 1.
    public init(_ manager: ImageManager, loadLimit: Int = 3) {
        self.manager = manager
        queue = AdmissionQueue(limit: loadLimit)
    }

    /// The maximum number of concurrent loads of all lists together. A change takes effect immediately.
    public var loadLimit: Int {
        get { queue.limit }
        set { queue.limit = newValue }
    }

    /// The sum of the counts of all lists that have not ended.
    public var counts: Counts { totals.counts }

    /// The number of lists whose next load waits.
    package var waitingCount: Int { queue.waitingCount }

    /// Loads `urls` in order and returns a sequence of their outcomes, which ends after the last one.
    ///
    /// A URL that occurs twice is reported twice. Images already cached are neither loaded nor decoded, and nothing is
    /// decoded if ``ImageContext/cachePolicy`` stores only originals on disk; that is not reported to the observers of
    /// the manager. The priority is low unless `context` sets one; with an ``ImageContext/urgency``, it can be changed
    /// for the rest of the list. Among several lists, the next load is that of the most urgent one. Leaving the sequence
    /// cancels the rest of the list, but not loads that others share.
    public func prefetch(_ urls: [URL], context: ImageContext = .init()) -> AsyncStream<Progress> {
        stream(of: start(urls, context: context, isReported: true))
    }

    /// Loads the URLs of an asynchronous sequence in order, like `prefetch(_:context:)` of an array.
    ///
    /// The URLs are read as they are needed, no further ahead than the limit on concurrent loads allows.
    public func prefetch(
        _ urls: some AsyncSequence<URL, Never> & Sendable, context: ImageContext = .init()
    ) -> AsyncStream<Progress> {
        stream(of: start(urls, context: context, isReported: true))
    }

    /// Loads `urls` in order, like `prefetch(_:context:)`, but without a sequence that a reader must keep.
    ///
    /// The result may be discarded. It shows the counts of the list, and can cancel it.
    @discardableResult
    public func start(_ urls: [URL], context: ImageContext = .init()) -> List {
        List(list: start(urls, context: context, isReported: false), prefetcher: self)
    }

    /// Loads the URLs of an asynchronous sequence in order, like `start(_:context:)` of an array.
    @discardableResult
    public func start(
        _ urls: some AsyncSequence<URL, Never> & Sendable, context: ImageContext = .init()
    ) -> List {
        List(list: start(urls, context: context, isReported: false), prefetcher: self)
    }

    /// Cancels all lists. After it returns, none of them reports anything.
    public func cancelAll() {
        let lists = lists.withLock { lists in
            defer { lists = [:] }
            return lists.values
        }
        for list in lists { list.cancel() }
    }

    private func start(_ urls: [URL], context: ImageContext, isReported: Bool) -> PrefetchList {
        let list = PrefetchList(totalCount: urls.count, totals: totals, isReported: isReported)
        run(list, context: context) {
            var rest = urls.makeIterator()
            await $0 { rest.next() }
        }
        return list
    }

    private func start(
        _ urls: some AsyncSequence<URL, Never> & Sendable, context: ImageContext, isReported: Bool
    ) -> PrefetchList {
        let list = PrefetchList(totalCount: nil, totals: totals, isReported: isReported)
        run(list, context: context) {
            var rest = urls.makeAsyncIterator()
            await $0 { await rest.next(isolation: #isolation) }
        }
        return list
    }

    /// Starts `list`. `read` calls its argument with a function that returns the next URL.
    private func run(
        _ list: PrefetchList, context: ImageContext,
        read: @escaping @Sendable ((_ next: () async -> URL?) async -> Void) async -> Void
    ) {
        let context = context.withDefaults(ImageContext { $0.priority = .low })
        lists.withLock { $0[ObjectIdentifier(list)] = list }
        list.start { [self] in
            await read { await load(list, context: context, next: $0) }
            remove(list)
            list.finish()
        }
    }

    private func stream(of list: PrefetchList) -> AsyncStream<Progress> {
        list.stream { [self] in cancel(list) }
    }

    fileprivate func cancel(_ list: PrefetchList) {
        remove(list)
        list.cancel()
    }

    /// Loads the URLs that `next` returns, and returns when all are finished.
    private func load(_ list: PrefetchList, context: ImageContext, next: () async -> URL?) async {
        await withDiscardingTaskGroup { group in
            var index = 0
            while let url = await next() {
                list.didRead(index)
                guard let admission = try? await queue.admit(context.urgency) else { return }
                group.addTask { [manager, index] in
                    let outcome = await manager.outcome(ofPrefetching: url, context: context)
                    if let outcome { list.add(outcome, at: index) }
                    admission.release()
                }
                index += 1
            }
        }
    }

    private func remove(_ list: PrefetchList) { lists.withLock { $0[ObjectIdentifier(list)] = nil } }
}

extension Prefetcher {
    /// A list without a reader, which ends only after its last image or when it is cancelled.
    public struct List: Sendable {
        fileprivate let list: PrefetchList
        fileprivate let prefetcher: Prefetcher

        /// The current counts of the list.
        public var counts: Counts { list.counts }

        /// Cancels the rest of the list, but not loads that others share.
        public func cancel() { prefetcher.cancel(list) }

        /// Waits until the list has ended. Cancelling the waiting task has no effect on the list.
        public func wait() async { await list.wait() }
    }
}

extension ImageManager {
    /// Prefetches one image and returns the outcome; `nil` if the list was cancelled.
    fileprivate func outcome(ofPrefetching url: URL, context: ImageContext) async -> PrefetchList.Outcome? {
        do throws(ImageError) {
            return .init(url: url, wasCached: try await prefetch(url, context: context))
        } catch {
            return Task.isCancelled ? nil : .init(url: url, error: error)
        }
    }
}
