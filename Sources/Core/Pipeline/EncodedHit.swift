#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An encoded result found in a data cache.
struct EncodedHit {
    let entry: DataEntry
    let origin: LoadResult.Origin

    /// Returns the result of `request` in memory that may be used without waiting, and the verdict that allows it.
    static func inMemory(
        _ request: EncodedRequest, pipeline: LoadPipeline
    ) -> (result: EncodedResult, verdict: CacheDecision)? {
        let caches = pipeline.caches(for: request.image)
        guard request.image.failure == nil, let key = request.key, let entry = caches.encodedResultInMemory(at: key)
        else { return nil }
        let verdict = caches.verdict(on: entry.original)
        guard verdict.allowsUse else { return nil }
        let hit = EncodedHit(entry: entry, origin: .memory)
        guard var result = hit.result(of: request, isStale: verdict.isStale, at: pipeline.components.now()) else {
            return nil
        }
        result.report.decision = verdict
        return (result, verdict)
    }

    /// Returns the result for the callers of `request`; `nil` if the entry is no encoded result.
    func result(of request: EncodedRequest, isStale: Bool, at now: Date) -> EncodedResult? {
        guard let file = entry.metadata.file else { return nil }
        var result = EncodedResult(entry, file: file, key: request.key, origin: origin)
        result.freshness =
            entry.original.map { RemainingFreshness(of: $0, for: request.context, at: now) } ?? RemainingFreshness()
        result.isCached = true
        result.isStale = isStale
        return result
    }
}

/// The encoded result of a run for all callers that share it. It is a class to keep the frame of a waiting caller
/// small.
final class SharedEncoding: Sendable {
    private let result: EncodedResult
    private let isJoined: Bool

    /// Creates the result for the caller that started the run.
    convenience init(_ result: EncodedResult) { self.init(result, isJoined: false) }

    private init(_ result: EncodedResult, isJoined: Bool) {
        self.result = result
        self.isJoined = isJoined
    }

    /// The same, for a caller that joined the run.
    var joined: SharedEncoding { SharedEncoding(result, isJoined: true) }

    /// The result for one caller.
    var value: EncodedResult {
        var result = result
        result.report.isJoined = isJoined
        return result
    }
}
