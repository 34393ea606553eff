import DarkroomCaches
import DarkroomCore
import Photograph

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Returns a suite of a thousand loads of a thumbnail in memory, and one of a load that has to decode.
func managingSuites() -> [Suite] {
    [
        Suite("Manager, memory hit", scale: 1000, setup: { try await ManagerJob.warmed() }) { job, _ in
            try await job.load()
        },
        Suite("Manager, cold load", setup: { try ManagerJob(imageCache: nil) }) { job, _ in try await job.load() },
    ]
}

/// A manager with a request.
private struct ManagerJob: Sendable {
    private let manager: ImageManager
    private let url = URL(string: "https://example.com/photographs/2026/photo.jpg?size=large") ?? URL(filePath: "/")
    private let context = ImageContext { $0.thumbnail = .fit(180, 120) }

    init(imageCache: MemoryImageCache?) throws {
        let loader = OneFileLoader(file: try Photograph.small().file(of: .jpeg))
        manager = try ImageManager {
            $0.loaders = [loader]
            $0.coders = Photograph.coders
            $0.imageCache = imageCache
        }
    }

    /// Creates a job whose image is in memory.
    static func warmed() async throws -> ManagerJob {
        let job = try ManagerJob(imageCache: MemoryImageCache())
        _ = try await job.load()
        guard try await job.load().origin == .memory else { fatalError("the second load missed memory") }
        return job
    }

    func load() async throws -> LoadResult { try await manager.load(url, context: context) }
}
