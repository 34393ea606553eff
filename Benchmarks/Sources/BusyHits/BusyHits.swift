import DarkroomCaches
import DarkroomCore
import Photograph
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Times hits in memory, and loads of low priority, while urgent loads that decode a photograph keep all processors busy:
/// `busy-hits [SECONDS]`. Prints milliseconds, and how many loads of either priority ended.
@main
enum BusyHits {
    static func main() async throws {
        let seconds = CommandLine.arguments.dropFirst().first.flatMap { Double($0) } ?? 10
        let run = try BusyRun(until: .now + .seconds(seconds))
        try await run.warm()
        async let hits = run.times { try await run.hit() }
        async let low = run.times { try await run.decode(.low) }
        let urgent = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<(4 * ProcessInfo.processInfo.activeProcessorCount) {
                group.addTask { try await run.times { try await run.decode(.high) }.count }
            }
            var count = 0
            for try await part in group { count += part }
            return count
        }
        let (hitTimes, lowTimes) = try await (hits, low)
        print("milliseconds: median, 99th percentile, longest")
        print("hit in memory ", summary(of: hitTimes), "of \(hitTimes.count)")
        print("low priority  ", summary(of: lowTimes), "of \(lowTimes.count), beside \(urgent) of high priority")
    }

    private static func summary(of times: [Double]) -> String {
        let sorted = times.sorted()
        guard let longest = sorted.last else { return "none" }
        return [sorted[sorted.count / 2], sorted[sorted.count * 99 / 100], longest]
            .map { "\(($0 * 1e4).rounded() / 1e4)" }.joined(separator: "  ")
    }
}

/// A manager with a picture in memory, and an end.
private struct BusyRun: Sendable {
    private let manager: ImageManager
    private let end: ContinuousClock.Instant
    private let hot = URL(string: "https://example.com/hot.jpg") ?? URL(filePath: "/")
    private let counter = Counter()

    init(until end: ContinuousClock.Instant) throws {
        let loader = OneFileLoader(file: try Photograph().file(of: .jpeg))
        manager = try ImageManager {
            $0.loaders = [loader]
            $0.coders = Photograph.coders
            $0.imageCache = MemoryImageCache()
        }
        self.end = end
    }

    func warm() async throws {
        _ = try await manager.load(hot, context: ImageContext { $0.thumbnail = .fit(180, 120) })
    }

    /// A hit, as when a cell appears, and some time until the next.
    func hit() async throws -> Double {
        let start = ContinuousClock.now
        let result = try await manager.load(hot, context: ImageContext { $0.thumbnail = .fit(180, 120) })
        let time = (ContinuousClock.now - start) / .milliseconds(1)
        guard result.origin == .memory else { throw ImageError(.internal, .request, "the cache has lost an image") }
        try await Task.sleep(for: .milliseconds(1))
        return time
    }

    /// A load of another image, which no cache has.
    func decode(_ priority: LoadPriority) async throws -> Double {
        let context = ImageContext {
            $0.thumbnail = .fit(1280, 960)
            $0.priority = priority
            $0.cachePolicy = .none
        }
        guard let url = URL(string: "https://example.com/\(counter.next()).jpg") else { return 0 }
        let start = ContinuousClock.now
        _ = try await manager.load(url, context: context)
        return (ContinuousClock.now - start) / .milliseconds(1)
    }

    /// Repeats `body` until the end, and returns what it returned.
    @concurrent func times(_ body: @Sendable () async throws -> Double) async rethrows -> [Double] {
        var times: [Double] = []
        while ContinuousClock.now < end { times.append(try await body()) }
        return times
    }
}

private final class Counter: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
