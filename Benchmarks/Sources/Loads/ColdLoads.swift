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

/// Loads images that are in no cache, compared with the unavoidable work: fetching, decoding and writing each.
///
/// A plain program does that in the same order, for as many images at once. The sum of three loops, each of which does
/// only one of the three, is a tenth less: their code and data stay in the caches of the processor.
///
/// The folders are in `TMPDIR`, whose file system matters.
struct ColdLoads {
    private static let count = 1000
    private static let roundCount = 9
    private static let width = 6

    let port: String

    func measure() async throws {
        print("cold loads, CPU µs, medians of \(Self.roundCount) rounds of \(Self.count):")
        print("Darkroom, plain program, ratio, fetch + decode + write in three loops, ratio")
        try await withTemporaryDirectory { folder in try await measure(in: folder) }
    }

    /// Deletes nothing before the end. To create a file, ext4 searches for an inode that was not deleted in the last
    /// minutes, which takes several times as long if there are many.
    private func measure(in root: URL) async throws {
        let file = try await fetched(0, with: HTTPClient.shared)
        let usedFolder = try await usedFolder(root.appending(path: "used"))
        var (times, parts): ([[Double]], [[Double]]) = ([], [])
        for round in 0..<Self.roundCount {
            let images = (round * Self.count)..<((round + 1) * Self.count)
            let newFolder = root.appending(path: "new\(round)")
            let plainFolder = try emptyFolder(root.appending(path: "plain\(round)"))
            var measured = [0.0, 0.0, 0.0]
            // The first one mostly takes longer, by up to 9 %.
            for step in 0..<3 {
                let index = (round + step) % 3
                measured[index] = try await cpuMilliseconds {
                    switch index {
                    case 0: try await load(images, into: newFolder)
                    case 1: try await load(images, into: usedFolder)
                    default: try await loadPlainly(images, into: plainFolder)
                    }
                }
            }
            times.append(measured)
            parts.append([
                try await cpuMilliseconds { try await fetch(images) }, try cpuMilliseconds { try decode(file) },
                try cpuMilliseconds { try write(file, for: images, into: root) },
            ])
        }
        let (fresh, used, plain) = (times.map { $0[0] }, times.map { $0[1] }, times.map { $0[2] })
        let scale = 1000 / Double(Self.count)
        let medians = (0..<3).map { part in parts.map { $0[part] }.median * scale }
        let sum = medians.map { "\($0.rounded())" }.joined(separator: " + ")
        let sums = parts.map { $0.reduce(0, +) }
        for (name, ours) in [("into new folders", fresh), ("into one that was used", used)] {
            print(
                name, (ours.median * scale).rounded(), (plain.median * scale).rounded(), ratio(ours, to: plain), sum,
                ratio(ours, to: sums), separator: "  ")
        }
    }

    /// Returns the median of the ratios of all rounds.
    private func ratio(_ ours: [Double], to theirs: [Double]) -> Double {
        (zip(ours, theirs).map { $0 / $1 }.median * 100).rounded() / 100
    }

    private func url(_ index: Int) -> String { "http://127.0.0.1:\(port)/\(index).jpg" }

    private func load(_ images: Range<Int>, into folder: URL) async throws {
        let manager = try ImageManager {
            $0.install(HTTPLoader())
            $0.coders = Photograph.coders
            $0.imageCache = MemoryImageCache()
            $0.dataCache = try DiskDataCache(directory: folder)
        }
        try await forEach(images) { index in
            guard let url = URL(string: url(index)) else { return }
            _ = try await manager.load(url)
        }
        await manager.waitForStores()
    }

    /// Fills `folder` with other entries, as loads store them: as many as 1 GiB has of 20 KB.
    private func usedFolder(_ folder: URL) async throws -> URL {
        let cache = try DiskDataCache(directory: folder)
        for index in 0..<50_000 {
            let source = "other:\(index)"
            let response = SourceResponse(of: source, at: .now())
            let found = try await cache.ticket(forSource: source)
            guard let ticket = try await cache.startGeneration(of: response, after: found) else { continue }
            try await cache.store(DataEntry(Data([0])), for: CacheKey(source: source), with: ticket)
        }
        return folder
    }

    private func emptyFolder(_ folder: URL) throws -> URL {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        return folder
    }

    /// Loads the images as a program without caches does that keeps the files. The images are retained, as by the memory
    /// cache.
    private func loadPlainly(_ images: Range<Int>, into folder: URL) async throws {
        let (client, loaded) = (HTTPClient(), Recorder<Image>())
        try await forEach(images) { index in
            let file = try await fetched(index, with: client)
            loaded.note(try Photograph.coders.decode(file))
            try file.write(to: folder.appending(path: "\(index).jpg"))
        }
        withExtendedLifetime(loaded) {}
        try await client.shutdown()
    }

    private func fetch(_ images: Range<Int>) async throws {
        let client = HTTPClient()
        try await forEach(images) { _ = try await fetched($0, with: client) }
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

    private func write(_ file: Data, for images: Range<Int>, into folder: URL) throws {
        for index in images { try file.write(to: folder.appending(path: "\(index).jpg")) }
    }

    /// Runs `body` for each image, a few concurrently.
    private func forEach(_ images: Range<Int>, _ body: @escaping @Sendable (Int) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in images {
                if index >= images.lowerBound + Self.width { try await group.next() }
                group.addTask { try await body(index) }
            }
            try await group.waitForAll()
        }
    }
}
