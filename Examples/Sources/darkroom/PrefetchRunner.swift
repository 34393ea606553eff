import Console
import Darkroom
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The outcome of one entry of a list.
struct PrefetchOutcome: Sendable {
    let source: Source
    var wasCached = false
    var error: ImageError?
}

/// Prefetches the images of a list.
struct PrefetchRunner: Sendable {
    /// Returns the next image of the list; `nil` at its end.
    let next: @Sendable () async -> Source?
    let prefetcher: Prefetcher
    let context: ImageContext

    /// Reports each entry as soon as it is complete. Returns when all are, or when the prefetcher was cancelled.
    func run(report: (PrefetchOutcome) -> Void) async {
        let reading = PendingEntries(next)
        for await progress in prefetcher.prefetch(AsyncStream { await reading.nextURL() }, context: context) {
            if let source = reading.take(progress.index) {
                report(PrefetchOutcome(source: source, wasCached: progress.wasCached, error: progress.error))
            }
            reading.takeRefused().forEach(report)
        }
        reading.takeRefused().forEach(report)
    }
}

/// The entries that have been read and not yet reported.
private final class PendingEntries: Sendable {
    private struct State {
        /// The entries that are loading, by their index among them.
        var loading: [Int: Source] = [:]
        var count = 0
        var refused: [PrefetchOutcome] = []
    }

    private let next: @Sendable () async -> Source?
    private let state = Mutex(State())

    init(_ next: @escaping @Sendable () async -> Source?) { self.next = next }

    /// Returns the next URL that can be loaded.
    func nextURL() async -> URL? {
        while let source = await next() {
            do throws(ImageError) {
                guard !source.isStandardInput else {
                    throw ImageError(.invalidURL, .request, "standard input cannot be an entry of a list")
                }
                let url = try source.validURL
                state.withLock { state in
                    state.loading[state.count] = source
                    state.count += 1
                }
                return url
            } catch {
                state.withLock { $0.refused.append(PrefetchOutcome(source: source, error: error)) }
            }
        }
        return nil
    }

    func take(_ index: Int) -> Source? { state.withLock { $0.loading.removeValue(forKey: index) } }

    func takeRefused() -> [PrefetchOutcome] {
        state.withLock { state in
            defer { state.refused = [] }
            return state.refused
        }
    }
}
