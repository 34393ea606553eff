#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Synchronization

/// The URLs that failed recently: a bounded list whose entries expire.
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
    private let entries = Mutex<[URL: Entry]>([:])

    init(lifetime seconds: Double) { lifetime = .seconds(min(max(0, seconds), Self.longestLifetime)) }

    /// Returns the error with which `url` failed recently; `nil` if it did not.
    func failure(of url: URL) -> ImageError? {
        entries.withLock { entries in
            guard let entry = entries[url] else { return nil }
            guard ClockReading.now < entry.expires else {
                entries[url] = nil
                return nil
            }
            return entry.error
        }
    }

    func insert(_ url: URL, error: ImageError) {
        entries.withLock { entries in
            if entries.count >= Self.countLimit {
                let now = ClockReading.now
                entries = entries.filter { now < $0.value.expires }
                if entries.count >= Self.countLimit, let first = entries.keys.first { entries[first] = nil }
            }
            entries[url] = Entry(error: error, expires: .now + lifetime)
        }
    }

    func remove(_ url: URL) { entries.withLock { _ = $0.removeValue(forKey: url) } }

    func removeAll() { entries.withLock { $0 = [:] } }
}
