import Benchmark
import DarkroomCaches
import DarkroomCore
import DarkroomTestKit
import Photograph

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A load of a thumbnail that is in memory; a thousand of them an iteration.
func registerMemoryHit() {
    let configuration = Benchmark.Configuration(metrics: [.wallClock], scalingFactor: .kilo)
    Benchmark("Memory hit", configuration: configuration) { benchmark, job in
        for _ in benchmark.scaledIterations { blackHole(try await job.load()) }
    } setup: {
        try await MemoryHit.warmed()
    }
}

/// A manager, and a request of it.
private struct MemoryHit: Sendable {
    private let manager: ImageManager
    private let url = URL(string: "https://example.com/photographs/2026/photo.jpg?size=large") ?? URL(filePath: "/")
    private let context = ImageContext { $0.thumbnail = .fit(180, 120) }

    init() throws {
        let loader = FakeLoader(try Photograph().file(of: .jpeg))
        manager = try ImageManager {
            $0.loaders = [loader]
            $0.coders = Photograph.coders
            $0.imageCache = MemoryImageCache()
        }
    }

    /// One whose picture is in memory.
    static func warmed() async throws -> MemoryHit {
        let job = try MemoryHit()
        _ = try await job.load()
        guard try await job.load().origin == .memory else { fatalError("the second load missed memory") }
        return job
    }

    func load() async throws -> LoadResult { try await manager.load(url, context: context) }
}
