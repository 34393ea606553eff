import Darkroom
import Foundation
import SmallExample

/// Prefetches a list of images, two at a time, so that they can be shown offline afterwards.
///
///     swift run --package-path Examples prefetch-a-list https://example.com/1.jpg https://example.com/2.jpg
@main
enum PrefetchAList: SmallExample {
    static func run() async throws {
        let urls = CommandLine.arguments.dropFirst().compactMap { URL(string: $0) }
        guard !urls.isEmpty else { return print("usage: prefetch-a-list URL...") }

        let manager = try ImageManager.standard()
        let context = ImageContext {
            $0.thumbnail = .fit(180, 120)
            // An image counts as finished when it is stored on disk.
            $0.waitsForStore = true
        }
        let prefetcher = Prefetcher(manager, loadLimit: 2)
        for await progress in prefetcher.prefetch(urls, context: context) {
            let outcome = progress.error?.message ?? (progress.wasCached ? "already cached" : "loaded")
            print("\(progress.finishedCount) of \(progress.totalCount): \(progress.url.lastPathComponent), \(outcome)")
        }

        var offline = context
        offline.cacheUse = .cacheOnly
        for url in urls {
            guard let result = try? await manager.load(url, context: offline) else { continue }
            print("\(url.lastPathComponent) from \(result.origin), \(result.image.size)")
        }
    }
}
