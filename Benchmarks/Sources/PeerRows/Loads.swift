import DarkroomCore
import Photograph
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Complete loads, each of a new URL, with a manager that caches nothing.
final class Loads: Sendable {
    private let files: [Data]
    private let doneCount = Mutex(0)

    init(_ files: [Data]) { self.files = files }

    /// Returns the wall-clock time of loading and encoding thumbnails of all files on `threadCount` threads.
    func milliseconds(threadCount: Int) async throws -> Double {
        let executor = WorkExecutor(name: "row", width: threadCount)
        let manager = try manager(executor)
        let context = ImageContext {
            $0.thumbnail = .fit(180, 120)
            $0.quality = 0.8
        }
        let start = ContinuousClock.now
        try await withThrowingTaskGroup { group in
            for index in files.indices {
                group.addTask {
                    let image = try await manager.load(url(index), context: context).image
                    _ = try await executor.run { try manager.coders.encode(image, as: .jpeg, context: context) }
                }
            }
            try await group.waitForAll()
        }
        return (ContinuousClock.now - start) / .milliseconds(1)
    }

    /// Returns the resident memory after `count` loads since the first call, two concurrently, every other one of a
    /// thumbnail.
    func residentKibibytes(after count: Int) async throws -> Double {
        let manager = try manager(WorkExecutor(name: "row", width: 2))
        try await withThrowingTaskGroup { group in
            for _ in 0..<2 {
                group.addTask { [self] in
                    while let index = next(below: count) {
                        let context = ImageContext { $0.thumbnail = index % 2 == 0 ? .fit(180, 120) : nil }
                        _ = try await manager.load(url(index), context: context)
                    }
                }
            }
            try await group.waitForAll()
        }
        return Double(try ResidentMemory().current)
    }

    private func next(below count: Int) -> Int? {
        doneCount.withLock { done in
            guard done < count else { return nil }
            defer { done += 1 }
            return done
        }
    }

    private func manager(_ executor: WorkExecutor) throws -> ImageManager {
        let loader = NumberedFileLoader(files: files)
        return try ImageManager {
            $0.loaders = [loader]
            $0.coders = Photograph.coders
            $0.workExecutor = executor
        }
    }
}

/// Serves files by their numbers.
private struct NumberedFileLoader: ImageLoader {
    let files: [Data]

    func canLoad(_ url: URL) -> Bool { true }

    func load(_ request: LoadRequest) async throws -> LoadResponse {
        LoadResponse(.data(files[(Int(request.url.lastPathComponent) ?? 0) % files.count]))
    }
}

/// Returns the URL of a load. Its last component selects the file.
private func url(_ index: Int) -> URL { URL(filePath: "/\(index)") }
