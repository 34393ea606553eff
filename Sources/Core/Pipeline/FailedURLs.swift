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
    }

    /// Large enough for a page full of broken images, small enough to be negligible.
    private static let countLimit = 1000

    /// Longer than the life of any process, and within the range of `Duration`.
    private static let longestLifetime = 1e9

    private let lifetime: Duration
    private let entries = Mutex<[FailedSource: Entry]>([:])

    init(lifetime seconds: Double) { lifetime = .seconds(min(max(0, seconds), Self.longestLifetime)) }

    /// Returns the error with which `source` failed recently; `nil` if it did not.
    func failure(of source: FailedSource) -> ImageError? {
        entries.withLock { entries in
            guard let entry = entries[source] else { return nil }
            guard ClockReading.now < entry.expires else {
                entries[source] = nil
                return nil
            }
            return entry.error
        }
    }

    func insert(_ source: FailedSource, error: ImageError) {
        entries.withLock { entries in
            if entries.count >= Self.countLimit {
                let now = ClockReading.now
                entries = entries.filter { now < $0.value.expires }
                if entries.count >= Self.countLimit, let first = entries.keys.first { entries[first] = nil }
            }
            entries[source] = Entry(error: error, expires: .now + lifetime)
        }
    }

    func remove(_ source: FailedSource) { entries.withLock { _ = $0.removeValue(forKey: source) } }

    /// Removes the failures of `url` with all options.
    func removeAll(of url: URL) { entries.withLock { entries in entries = entries.filter { $0.key.url != url } } }

    func removeAll() { entries.withLock { $0 = [:] } }
}
