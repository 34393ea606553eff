import DarkroomCacheKeyFilters
import DarkroomCaches
import DarkroomCore
import DarkroomPNG
import Foundation
import SmallExample

/// A custom pipeline: a loader for `swatch:` URLs, a cache key filter, and a cache tier above the disk.
@main
enum CustomPipeline: SmallExample {
    static func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "swatches-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let disk = try DiskDataCache(directory: folder)
        let manager = try ImageManager {
            $0.install(SwatchLoader())
            $0.install(PNGCoder())
            // The query is a comment, and is not part of the cache key.
            $0.install(ClosureKeyFilter { _, text, _ in text.split(separator: "?").first.map(String.init) })
            $0.dataCache = TieredDataCache([Shelf(), disk], policies: .inclusive)
        }
        let texts = ["swatch:ff8800?comment=one", "swatch:ff8800?comment=two", "swatch:0088ff"]
        for url in texts.compactMap({ URL(string: $0) }) {
            let result = try await manager.load(url)
            await manager.waitForStores()
            let color = result.image.bitmap.color(x: 0, y: 0).map(String.init) ?? "nothing"
            print("\(url) is \(color) from \(result.origin), cached as \(result.key?.description ?? "nothing")")
        }
        print("\(try await disk.usage().count) entries on disk")
    }
}

/// Loads images of the colour in the URL. They are encoded as files, because data caches store bytes.
struct SwatchLoader: ImageLoader {
    func canLoad(_ url: URL) -> Bool { url.scheme == "swatch" }
    func load(_ request: LoadRequest) async throws -> LoadResponse {
        guard let color = Color(request.url.path) else { throw ImageError(.invalidURL, .load, "the URL is no colour") }
        let channels = [color.red, color.green, color.blue, 255]
        let bitmap = try Bitmap(PixelSize(8, 8), bytes: (0..<256).map { channels[$0 % 4] }, hasAlpha: false)
        let image = Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
        let data = try CoderRegistry([PNGCoder()]).encode(image)
        try request.context.limits.check(encodedByteCount: data.count)
        return LoadResponse(.data(data), expectedByteCount: data.count)
    }
}

/// A cache tier that stores bytes for the lifetime of the process.
actor Shelf: DataCache {
    private var entries: [CacheKey: DataEntry] = [:]
    func entry(for key: CacheKey) -> DataEntry? { entries[key] }
    func store(_ entry: DataEntry, for key: CacheKey) { entries[key] = entry }
    func update(_ metadata: DataEntry.Metadata, for key: CacheKey) {
        if let old = entries[key], metadata.isOfSameVersion(as: old.metadata) { entries[key]?.metadata = metadata }
    }
    func contains(_ key: CacheKey) -> Bool { entries[key] != nil }
    func remove(_ key: CacheKey) { entries[key] = nil }
    func removeAll(ofSource source: String) { entries = entries.filter { $0.key.source != source } }
    func removeAll() { entries = [:] }
}
