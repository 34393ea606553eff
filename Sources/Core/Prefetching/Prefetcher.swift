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
        /// Its place in the list.
        public let index: Int

        /// Which one it was.
        public let url: URL

        /// Why it could not be had; `nil` when it is in the caches now.
        public let error: ImageError?

        /// Whether it was in a cache before, and nothing was done.
        public let wasCached: Bool

        /// The counts of the list, this one included.
        public let counts: Counts

        /// How many of the list have been answered so far, whatever the answer.
        public var finishedCount: Int { counts.finished }

        /// How many of these could not be had.
        public var failedCount: Int { counts.failed }

        /// How many of these were in a cache before.
        public var cachedCount: Int { counts.cached }

        /// How many there are in the list; of one that is read as it comes, how many were read so far.
        public var totalCount: Int { counts.total }
    }

    /// How far lists are.
    public struct Counts: Hashable, Sendable {
        /// How many pictures have been answered, whatever the answer.
        public var finished = 0

        /// How many of these could not be had.
        public var failed = 0

        /// How many of these were in a cache before.
        public var cached = 0

        /// How many there are.
        public var total = 0
    }

    private let manager: ImageManager
    private let queue: AdmissionQueue
    private let lists = Mutex<[ObjectIdentifier: PrefetchList]>([:])

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

    /// The counts of all lists that have not ended, together.
    public var counts: Counts {
        lists.withLock { Array($0.values) }.map(\.counts).reduce(into: Counts()) { sum, list in
            sum.finished += list.finished
            sum.failed += list.failed
            sum.cached += list.cached
            sum.total += list.total
        }
    }

    /// Loads `urls` in their order, and tells of each when it is answered; the sequence ends with the last one.
    ///
    /// A URL that occurs twice is told of twice. What is cached already is neither loaded nor decoded. The priority is low
    /// unless `context` sets one. Leaving the sequence cancels what is left of the list; what others load, too, goes on.
    public func prefetch(_ urls: [URL], context: ImageContext = .init()) -> AsyncStream<Progress> {
        prefetch(PrefetchList(totalCount: urls.count), context) {
            var rest = urls.makeIterator()
            await $0 { rest.next() }
        }
    }

    /// Like `prefetch` of an array, for a list that is read as it comes: no further ahead than there are places.
    public func prefetch(
        _ urls: some AsyncSequence<URL, Never> & Sendable, context: ImageContext = .init()
    ) -> AsyncStream<Progress> {
        prefetch(PrefetchList(totalCount: nil), context) {
            var rest = urls.makeAsyncIterator()
            await $0 { await rest.next(isolation: #isolation) }
        }
    }

    /// Cancels all lists. When this returns, none of them tells of anything any more.
    public func cancelAll() {
        let lists = lists.withLock { lists in
            defer { lists = [:] }
            return lists.values
        }
        for list in lists { list.cancel() }
    }

    /// Runs `list`; `read` hands the way to its next URL to what it is given.
    private func prefetch(
        _ list: PrefetchList, _ context: ImageContext,
        _ read: @escaping @Sendable ((_ next: () async -> URL?) async -> Void) async -> Void
    ) -> AsyncStream<Progress> {
        let context = context.withDefaults(ImageContext { $0.priority = .low })
        lists.withLock { $0[ObjectIdentifier(list)] = list }
        list.start { [self] in
            await read { await load(list, context, next: $0) }
            remove(list)
            list.finish()
        }
        let reader = PrefetchReader { [self] in
            remove(list)
            list.cancel()
        }
        return AsyncStream {
            await reader.read(list)
        } onCancel: {
            reader.leave()
        }
    }

    /// Loads what `next` brings, and returns when all has been answered.
    private func load(_ list: PrefetchList, _ context: ImageContext, next: () async -> URL?) async {
        await withDiscardingTaskGroup { group in
            var index = 0
            while let url = await next() {
                list.noteRead(index)
                guard let admission = try? await queue.admit() else { return }
                group.addTask { [manager, index] in
                    if let answer = await manager.prefetch(url, context) { list.add(answer, at: index) }
                    admission.release()
                }
                index += 1
            }
        }
    }

    private func remove(_ list: PrefetchList) { lists.withLock { $0[ObjectIdentifier(list)] = nil } }
}

extension ImageManager {
    /// `nil` when the list was cancelled.
    fileprivate func prefetch(_ url: URL, _ context: ImageContext) async -> PrefetchList.Answer? {
        if await isCached(url, context: context) { return .init(url: url, wasCached: true) }
        do throws(ImageError) {
            _ = try await load(url, context: context)
            return .init(url: url)
        } catch {
            return Task.isCancelled ? nil : .init(url: url, error: error)
        }
    }
}

/// The one who reads about a list: the list is cancelled when it goes.
private final class PrefetchReader: Sendable {
    private let onLeaving: @Sendable () -> Void

    init(onLeaving: @escaping @Sendable () -> Void) { self.onLeaving = onLeaving }

    func read(_ list: PrefetchList) async -> Prefetcher.Progress? { await list.next() }

    func leave() { onLeaving() }

    deinit { onLeaving() }
}
