import CReference
import DarkroomCaches
import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Looks up 1,000 images on one thread and on two, and prints nanoseconds: `hits [ROUNDS [NAME]]`. The contestants are
/// plain C and memory caches, which get keys, and managers with a memory cache, which get a URL and a context.
@main
enum Hits {
    // Few enough that a round ends before the scheduler preempts the thread.
    private static let callCount = 20_000

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let roundCount = arguments.first.flatMap { Int($0) } ?? 500
        var contestants = try [
            Contestant.plainC(), .cache(.leastRecentlyUsed), .cache(.scanResistant),
            .cache(.scanResistant, keyCount: 1), .manager(hasContext: false), .manager(hasContext: true),
        ]
        if let name = arguments.dropFirst().first { contestants.removeAll { $0.name != "C" && $0.name != name } }
        var times = contestants.map { _ in (one: [Double](), two: [Double]()) }
        for _ in 0..<roundCount {
            for (index, contestant) in contestants.enumerated() {
                times[index].one.append(await contestant.nanoseconds(callCount, threadCount: 1))
                times[index].two.append(await contestant.nanoseconds(callCount, threadCount: 2))
            }
        }
        print("ns per hit, best of \(roundCount) rounds: one thread, ratio to C; two threads, ratio to one")
        let plain = times[0].one.min() ?? 0
        for (contestant, times) in zip(contestants, times) {
            let (one, two) = (times.one.min() ?? 0, times.two.min() ?? 0)
            print(
                contestant.name, [one, one / plain, two, two / one].map(rounded).joined(separator: "  "),
                separator: "  ")
        }
    }

    private static func rounded(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}

/// An implementation to measure.
private struct Contestant: Sendable {
    let name: String
    /// Looks up `count` keys, beginning with number `start`.
    let look: @Sendable (_ start: Int, _ count: Int) async -> Void

    static func cache(_ policy: MemoryImageCache.Policy, keyCount: Int = 1000) throws -> Contestant {
        let cache = MemoryImageCache(policy: policy)
        for number in 0..<keyCount {
            let bitmap = try Bitmap(PixelSize(1, 1), hasAlpha: false) { _ in }
            cache.store(Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap), for: key(number))
        }
        // Made again, so that lookups do not use the very strings in the cache.
        let keys = (0..<keyCount).map(key)
        return Contestant(name: keyCount == 1 ? "\(policy), one key" : "\(policy)") { start, count in
            for number in start..<(start + count) where cache.image(for: keys[number &* 7919 % keyCount]) == nil {
                fatalError("the cache has lost a key")
            }
        }
    }

    static func plainC() -> Contestant {
        let cache = Peer(keyCount: 1000)
        let keys = (0..<1000).map { Array(key($0).description.utf8CString.dropLast()) }
        return Contestant(name: "C") { start, count in
            for number in start..<(start + count) where !cache.has(keys[number &* 7919 % 1000]) {
                fatalError("the cache has lost a key")
            }
        }
    }

    static func manager(hasContext: Bool) throws -> Contestant {
        let cache = MemoryImageCache()
        let context = ImageContext { if hasContext { $0.thumbnail = thumbnail } }
        for number in 0..<1000 {
            let bitmap = try Bitmap(PixelSize(1, 1), hasAlpha: false) { _ in }
            var freshness = Freshness(confirmedAt: .now)
            freshness.expires = .distantFuture
            var metadata = Image.Metadata()
            metadata.original = OriginalVersion(revision: "1", freshness: freshness)
            cache.store(
                Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap, metadata: metadata),
                for: CacheKey(source: source(number), variant: hasContext ? [thumbnail.description] : []))
        }
        let manager = try ImageManager { $0.imageCache = cache }
        let urls = (0..<1000).compactMap { URL(string: source($0)) }
        return Contestant(name: hasContext ? "manager.load, a thumbnail" : "manager.load") { start, count in
            for number in start..<(start + count) {
                let result = try? await manager.load(urls[number &* 7919 % 1000], context: context)
                guard result?.origin == .memory else { fatalError("the cache has lost an image") }
            }
        }
    }

    /// Returns the wall-clock time per call when `threadCount` threads share the calls.
    func nanoseconds(_ callCount: Int, threadCount: Int) async -> Double {
        let time = await ContinuousClock().measure {
            await withTaskGroup { group in
                for thread in 0..<threadCount { group.addTask { await look(thread * 500, callCount / threadCount) } }
            }
        }
        return time / .nanoseconds(callCount)
    }

    private static let thumbnail = Thumbnail.fit(180, 120)

    private static func source(_ number: Int) -> String {
        "https://example.com/photographs/2026/photo-\(number).jpg?size=large"
    }

    private static func key(_ number: Int) -> CacheKey {
        CacheKey(source: source(number), variant: [thumbnail.description])
    }
}

/// The cache in C. It lives as long as the process.
@safe private struct Peer: Sendable {
    private nonisolated(unsafe) let cache: OpaquePointer?

    init(keyCount: Int) {
        unsafe cache = reference_cache_make(keyCount)
        for number in 0..<keyCount {
            let text = CacheKey(
                source: "https://example.com/photographs/2026/photo-\(number).jpg?size=large",
                variant: [Thumbnail.fit(180, 120).description]
            ).description
            unsafe reference_cache_store(cache, text, text.utf8.count, UnsafeRawPointer(bitPattern: number + 1))
        }
    }

    func has(_ key: [CChar]) -> Bool { unsafe reference_cache_look(cache, key, key.count) != nil }
}
