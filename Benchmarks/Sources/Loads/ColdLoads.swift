import AsyncHTTPClient
import DarkroomCaches
import DarkroomCore
import DarkroomHTTP
import DarkroomTestKit
import NIOCore
import Photograph

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Loads a thousand images that are in no cache, compared with the unavoidable work: fetching, decoding and writing
/// each.
struct ColdLoads {
    private static let count = 1000
    private static let width = 6

    let port: String

    func measure() async throws {
        print("\(Self.count) cold loads, CPU ms, medians of 5 rounds: Darkroom, fetch + decode + write, ratio")
        let file = try await fetched(0, with: HTTPClient.shared)
        var (fresh, used, parts): ([Double], [Double], [[Double]]) = ([], [], [[], [], []])
        for _ in 0..<5 {
            fresh.append(
                try await withTemporaryDirectory { folder in try await cpuMilliseconds { try await load(into: folder) }
                })
            used.append(
                try await withTemporaryDirectory { folder in
                    try await use(folder)
                    return try await cpuMilliseconds { try await load(into: folder) }
                })
            parts[0].append(try await cpuMilliseconds { try await fetch() })
            parts[1].append(try cpuMilliseconds { try decode(file) })
            parts[2].append(
                try await withTemporaryDirectory { folder in try cpuMilliseconds { try write(file, into: folder) } })
        }
        let plain = zip(parts[0], zip(parts[1], parts[2])).map { $0 + $1.0 + $1.1 }.median
        let sum = parts.map { "\($0.median.rounded())" }.joined(separator: " + ")
        for (name, ours) in [("into a new folder", fresh.median), ("into one that was used", used.median)] {
            print(name, ours.rounded(), sum, (ours / plain * 100).rounded() / 100, separator: "  ")
        }
    }

    private func url(_ index: Int) -> String { "http://127.0.0.1:\(port)/\(index).jpg" }

    private func load(into folder: URL) async throws {
        let manager = try ImageManager {
            $0.install(HTTPLoader())
            $0.coders = Photograph.coders
            $0.imageCache = MemoryImageCache()
            $0.dataCache = try DiskDataCache(directory: folder)
        }
        try await forEach { index in
            guard let url = URL(string: url(index)) else { return }
            _ = try await manager.load(url)
        }
        await manager.waitForStores()
    }

    /// Leaves in `folder` what a used cache leaves there: the folders of its shards.
    private func use(_ folder: URL) async throws {
        let cache = try DiskDataCache(directory: folder)
        for index in 0..<Self.count {
            try await cache.store(DataEntry(Data([0])), for: CacheKey(source: url(index)))
        }
        try await cache.removeAll()
    }

    private func fetch() async throws {
        let client = HTTPClient()
        try await forEach { _ = try await fetched($0, with: client) }
        try await client.shutdown()
    }

    private func fetched(_ index: Int, with client: HTTPClient) async throws -> Data {
        let response = try await client.execute(HTTPClientRequest(url: url(index)), timeout: .seconds(30))
        return Data(try await response.body.collect(upTo: 1 << 20).readableBytesView)
    }

    /// Retains the images until all are decoded, as the memory cache does: page faults of new memory take their time.
    private func decode(_ file: Data) throws {
        let images = try (0..<Self.count).map { _ in try Photograph.coders.decode(file) }
        withExtendedLifetime(images) {}
    }

    private func write(_ file: Data, into folder: URL) throws {
        for index in 0..<Self.count { try file.write(to: folder.appending(path: "\(index).jpg")) }
    }

    /// Runs `body` for each image, a few concurrently.
    private func forEach(_ body: @escaping @Sendable (Int) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<Self.count {
                if index >= Self.width { try await group.next() }
                group.addTask { try await body(index) }
            }
            try await group.waitForAll()
        }
    }
}
