#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Synchronization

/// A source that may have failed: a URL, and the options of the request that affect what is there.
struct FailedSource: Hashable {
    let url: URL
    let options: [String]
}

extension Request {
    /// The source whose failures concern this request.
    var source: FailedSource { FailedSource(url: url, options: context.sourceVariant.parts) }
}

/// The sources that failed recently: a bounded list whose entries expire.
final class FailedURLs: Sendable {
    private struct Entry {
        let error: ImageError
        let expires: ClockReading
        /// The response to the same request, if that limits the entry.
        let refusal: Refusal?
    }

    /// Large enough for a page full of broken images, small enough to be negligible.
    private static let countLimit = 1000

    /// Longer than the life of any process, and within the range of `Duration`.
    private static let longestLifetime = 1e9

    private let lifetime: Duration
    private let entries = Mutex<[FailedSource: Entry]>([:])

    init(lifetime seconds: Double) { lifetime = .seconds(min(max(0, seconds), Self.longestLifetime)) }

    /// Returns the error with which `source` failed recently; `nil` if it did not, or if that says nothing about this
    /// request, according to `isAnswer`.
    func failure(of source: FailedSource, isAnswer: (Refusal) -> Bool) -> ImageError? {
        entries.withLock { entries in
            guard let entry = entries[source] else { return nil }
            guard ClockReading.now < entry.expires else {
                entries[source] = nil
                return nil
            }
            return entry.refusal.map(isAnswer) ?? true ? entry.error : nil
        }
    }

    func insert(_ source: FailedSource, error: ImageError, refusal: Refusal? = nil) {
        guard lifetime > .zero else { return }
        entries.withLock { entries in
            if entries.count >= Self.countLimit {
                let now = ClockReading.now
                entries = entries.filter { now < $0.value.expires }
                if entries.count >= Self.countLimit, let first = entries.keys.first { entries[first] = nil }
            }
            // A refusal has an end of its own.
            let expires = ClockReading.now + (refusal == nil ? lifetime : .seconds(Self.longestLifetime))
            entries[source] = Entry(error: error, expires: expires, refusal: refusal)
        }
    }

    func remove(_ source: FailedSource) { entries.withLock { _ = $0.removeValue(forKey: source) } }

    /// Removes the failures of `url` with all options.
    func removeAll(of url: URL) { entries.withLock { entries in entries = entries.filter { $0.key.url != url } } }

    func removeAll() { entries.withLock { $0 = [:] } }
}
