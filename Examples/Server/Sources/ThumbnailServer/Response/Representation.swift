import Darkroom
import ServerPlatform

/// An encoded result as an HTTP representation.
struct Representation: Sendable {
    private let result: EncodedResult
    private let total: Duration

    /// The handling of the request by the caches.
    let cacheStatus: CacheStatus

    /// Creates the representation of `result`, which was available `total` after the request arrived.
    init(_ result: EncodedResult, total: Duration) {
        self.result = result
        self.total = total
        cacheStatus = CacheStatus(result)
    }

    /// The bytes of the file.
    var file: Data { result.data }

    /// The format of the file.
    var format: ImageFormat { result.file.format }

    /// The strong entity tag, derived from the bytes.
    var entityTag: String { "\"\(result.file.digest)\"" }

    /// Returns the value of the field `Server-Timing`. If `isNegotiated`, it also tells that the file has another format
    /// than the source, because the path does not.
    func serverTiming(isNegotiated: Bool) -> String {
        let stages = result.report.stages.map { (name: $0.step.rawValue, duration: $0.duration) }
        let timing =
            stages.isEmpty
            ? ServerTiming.field(of: total, named: "total") : ServerTiming.field(stages + [("total", total)])
        guard isNegotiated, let source = result.info?.format, source != format else { return timing }
        return "\(timing), format;desc=\"\(format.fileExtension) instead of \(source.fileExtension)\""
    }

    /// Returns the lifetime for the field `Cache-Control`. Results of local files, which have no lifetime of their own,
    /// have that of `settings`.
    func lifetime(_ settings: ThumbnailSettings) -> CacheLifetime {
        guard let freshness = result.freshness, let version = result.version else { return .none }
        return CacheLifetime(
            isPrivate: freshness.isPrivate, freshFor: freshness.timeLeft ?? settings.lifetime,
            staleFor: version.isLocal ? settings.staleWhileRevalidate : freshness.staleWhileRevalidate)
    }
}
