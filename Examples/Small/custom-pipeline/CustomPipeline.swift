import DarkroomCacheKeyFilters
import DarkroomCaches
import DarkroomCore
import DarkroomPNG
import Foundation

/// A custom pipeline: a loader for `swatch:` URLs, a cache key filter, and a cache tier above the disk.
@main
enum CustomPipeline {
    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "swatches-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let disk = try DiskDataCache(directory: folder)
        var policies = TierPolicies()
        policies.store = .concurrent
        let manager = try ImageManager {
            $0.install(SwatchLoader())
            $0.install(PNGCoder())
            // The query is a comment, and is not part of the cache key.
            $0.install(ClosureKeyFilter { _, text, _ in text.split(separator: "?").first.map(String.init) })
            $0.dataCache = TieredDataCache([Shelf(), disk], policies: policies)
        }
        for text in ["swatch:ff8800?comment=one", "swatch:ff8800?comment=two", "swatch:0088ff"] {
            guard let url = URL(string: text) else { continue }
            let result = try await manager.load(url)
            await manager.waitForStores()
            let color = result.image.bitmap.color(x: 0, y: 0).map(String.init) ?? "nothing"
            print("\(text) is \(color) from \(result.origin), cached as \(result.key?.description ?? "nothing")")
        }
        print("\(try await disk.usage().count) entries on disk")
    }
}

/// Loads images of the colour in the URL. They are encoded as files, because data caches store bytes.
struct SwatchLoader: ImageLoader {
    func canLoad(_ url: URL) -> Bool { url.scheme == "swatch" }
    func load(_ request: LoadRequest) async throws -> LoadResponse {
        guard let color = Color(request.url.path) else { throw ImageError(.invalidURL, .load, "the URL is no colour") }
        let bitmap = try Bitmap(PixelSize(8, 8), hasAlpha: false) { pixels in
            for index in pixels.indices { pixels[index] = [color.red, color.green, color.blue, 255][index % 4] }
        }
        let image = Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
        return LoadResponse(.data(try CoderRegistry([PNGCoder()]).encode(image)))
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
