import DarkroomCaches
import DarkroomCore
import DarkroomTestKit
import Photograph

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Reads entries of 20 KB from a disk cache, compared with opening, reading and closing the same files.
///
/// Entries have the metadata of images that an `HTTPLoader` has loaded. The folder is in `TMPDIR`, whose file system
/// matters. A hit runs as a job on a thread of the cache. What jobs take varies with the time for which threads sleep, so
/// hits are compared with jobs that read the files, and the difference is added to what reading alone takes. Use
/// `taskset -c 0`.
struct DiskHits {
    private static let count = 1000
    private static let roundCount = 31

    func measure() async throws {
        print("disk hits, CPU µs, medians of \(Self.roundCount) rounds: a hit, a job that opens, reads and closes,")
        print("the same without a job, (this + hit - job) / this")
        for (name, variant) in [("originals", []), ("thumbnails", [Thumbnail.fit(180, 120).description])] {
            try await withTemporaryDirectory { folder in
                try await measure(name, Entries(folder, count: Self.count, variant: variant))
            }
        }
    }

    private func measure(_ name: String, _ entries: Entries) async throws {
        try await entries.store()
        let files = try entries.files()
        guard files.count == Self.count else { throw Surprise("there are \(files.count) files") }
        let executor = WorkExecutor(name: "reading", width: 2)
        var (ours, jobs, plain): ([Double], [Double], [Double]) = ([], [], [])
        for _ in 0..<Self.roundCount {
            ours.append(try await cpuMilliseconds { try await forEach { try await entries.readEntry($0) } })
            jobs.append(
                try await cpuMilliseconds {
                    try await forEach { index in try await executor.run { try entries.read([files[index]]) } }
                })
            plain.append(try cpuMilliseconds { try entries.read(files) })
        }
        let ratio = zip(zip(ours, jobs), plain).map { 1 + ($0.0 - $0.1) / $1 }.median
        let microseconds = [ours.median, jobs.median, plain.median].map { $0 * 1000 / Double(Self.count) }
        print(
            name, (microseconds + [ratio]).map { "\(($0 * 100).rounded() / 100)" }.joined(separator: "  "),
            separator: "  ")
    }

    private func forEach(_ body: @Sendable (Int) async throws -> Void) async throws {
        for index in 0..<Self.count { try await body(index) }
    }
}

private struct Entries: Sendable {
    private let cache: DiskDataCache
    private let keys: [CacheKey]
    private let folder: URL
    private let data = Data(repeating: 7, count: 20_000)

    init(_ folder: URL, count: Int, variant: [String]) throws {
        self.folder = folder
        cache = try DiskDataCache(directory: folder)
        keys = (0..<count).map { CacheKey(source: Self.source($0), variant: variant) }
    }

    func store() async throws {
        await cache.waitForOpeningScan()
        for key in keys { try await cache.store(DataEntry(data, metadata: try Self.metadata(of: key)), for: key) }
    }

    /// Returns the paths of all entries.
    func files() throws -> [String] {
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return files.filter { $0.hasSuffix(".jpg") }.map { "\(folder.path)/\($0)" }
    }

    func readEntry(_ index: Int) async throws {
        guard try await cache.entry(for: keys[index])?.data.count == data.count else {
            throw Surprise("the cache has lost an entry")
        }
    }

    /// Reads files of the size of an entry with at most 4 KB of metadata.
    func read(_ files: [String]) throws {
        let byteCount = data.count + 4096
        for file in files {
            let number = unsafe open(file, O_RDONLY | O_CLOEXEC)
            defer { close(number) }
            let bytes = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 16)
            defer { unsafe bytes.deallocate() }
            guard unsafe pread(number, bytes, byteCount, 0) > data.count else {
                throw Surprise("\(file) cannot be read")
            }
        }
    }

    private static func source(_ number: Int) -> String {
        "https://example.com/photographs/2026/photo-\(number).jpg?size=large"
    }

    private static func metadata(of key: CacheKey) throws -> DataEntry.Metadata {
        guard let url = URL(string: key.source) else { throw Surprise("\(key.source) is no URL") }
        var metadata = DataEntry.Metadata()
        metadata.info = ImageInfo(format: .jpeg, storedSize: PixelSize(3264, 2448))
        if key.variant.isEmpty {
            metadata.response = ResponseMetadata(
                url: url, status: 200,
                headers: [
                    "accept-ranges": "bytes", "cache-control": "public, max-age=86400", "content-length": "20000",
                    "content-type": "image/jpeg", "date": "Wed, 25 Nov 2026 09:00:00 GMT",
                    "etag": "\"5f3e-1a2b3c4d5e6f7\"", "last-modified": "Mon, 02 Nov 2026 12:00:00 GMT",
                    "server": "nginx",
                ])
        }
        var freshness = Freshness(confirmedAt: .now)
        freshness.expires = .now + 86_400
        metadata.original = OriginalVersion(revision: "\"5f3e-1a2b3c4d5e6f7\"", freshness: freshness)
        metadata.original?.route = SourceRoute([SourceRoute.Hop(url: url, address: "192.0.2.1")])
        return metadata
    }
}

/// An error that ends the measurement.
private struct Surprise: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
