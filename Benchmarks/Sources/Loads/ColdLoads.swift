import AsyncHTTPClient
import DarkroomCaches
import DarkroomCore
import DarkroomHTTP
import NIOCore
import Photograph

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A thousand pictures that are in no cache, against what cannot be left out: fetching, decoding and writing each of them.
struct ColdLoads {
    private static let count = 1000
    private static let width = 6

    let port: String

    func measure() async throws {
        print("\(Self.count) cold loads, CPU ms, medians of 5 rounds: Darkroom, fetch + decode + write, ratio")
        let file = try await fetched(0, HTTPClient.shared)
        var (ours, plain, parts): ([Double], [Double], [[Double]]) = ([], [], [[], [], []])
        for _ in 0..<5 {
            ours.append(try await cpuMilliseconds { try await load() })
            let fetching = try await cpuMilliseconds { try await fetch() }
            let decoding = try cpuMilliseconds { for _ in 0..<Self.count { _ = try Photograph.coders.decode(file) } }
            let writing = try cpuMilliseconds { try write(file) }
            plain.append(fetching + decoding + writing)
            for (index, part) in [fetching, decoding, writing].enumerated() { parts[index].append(part) }
        }
        let ratio = (ours.median / plain.median * 100).rounded() / 100
        print(
            ours.median.rounded(), parts.map { "\($0.median.rounded())" }.joined(separator: " + "), ratio,
            separator: "  ")
    }

    private func url(_ index: Int) -> String { "http://127.0.0.1:\(port)/\(index).jpg" }

    private func load() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "darkroom-loads-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
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

    private func fetch() async throws {
        let client = HTTPClient()
        try await forEach { _ = try await fetched($0, client) }
        try await client.shutdown()
    }

    private func fetched(_ index: Int, _ client: HTTPClient) async throws -> Data {
        let response = try await client.execute(HTTPClientRequest(url: url(index)), timeout: .seconds(30))
        return Data(try await response.body.collect(upTo: 1 << 20).readableBytesView)
    }

    private func write(_ file: Data) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "darkroom-files-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for index in 0..<Self.count { try file.write(to: folder.appending(path: "\(index).jpg")) }
    }

    /// Runs `body` for each picture, a few at a time.
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
