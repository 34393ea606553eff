import Darkroom
import DarkroomTestKit
import Foundation
import PictureServer
import Testing

struct LoadingExampleTests {
    @Test func progressAndPreviewsShowsAnIncompleteImage() async throws {
        try await withTemporaryDirectory { folder in
            let server = PictureServer(folder: Repository.fixture(""), chunkDelay: .milliseconds(10))
            let run = try await server.run { server in
                try await Example("progress-and-previews").run("\(server)/jpeg-progressive-420.jpg", folder.path)
            }
            #expect(run.status == 0)
            #expect(run.lines.first == "the origin server sends image/jpeg")
            #expect(run.lines.contains { $0.hasSuffix(" bytes") })
            #expect(run.lines.contains { $0.hasPrefix("preview-1.png: ") && $0.hasSuffix(", incomplete") })
            let whole = try ImageFiles.decode(Repository.fixture("jpeg-progressive-420.jpg"))
            let finished = try ImageFiles.decode(folder.appending(path: "finished.png").path)
            let preview = try ImageFiles.decode(folder.appending(path: "preview-1.png").path)
            #expect(run.lines.last == "finished.png: \(whole.size)")
            #expect(finished == whole)
            #expect(preview.size == whole.size && preview != whole)
        }
    }

    @Test func prefetchAListMakesLaterLoadsLocal() async throws {
        try await withTemporaryDirectory { folder in
            let run = try await PictureServer(folder: Repository.fixture("")).run { server in
                let urls = ["png-rgb-8.png", "none.png", "jpeg-420.jpg"].map { "\(server)/\($0)" }
                let environment = ["XDG_CACHE_HOME": folder.path]
                _ = try await Example("prefetch-a-list").run(urls[0], environment: environment)
                return try await Example("prefetch-a-list").run(urls[0], urls[1], urls[2], environment: environment)
            }
            #expect(run.status == 0)
            #expect(run.lines.count == 5)
            #expect(run.lines.contains { $0.hasSuffix(" of 3: png-rgb-8.png, already cached") })
            #expect(run.lines.contains { $0.hasSuffix(" of 3: jpeg-420.jpg, loaded") })
            #expect(run.lines.contains { $0.contains(" of 3: none.png, ") && $0.contains("404") })
            let size = try ImageFiles.decode(Repository.fixture("jpeg-420.jpg")).size
            #expect(run.lines.last == "jpeg-420.jpg from memory, \(size)")
            #expect(run.lines.dropLast().last?.hasPrefix("png-rgb-8.png from disk, ") == true)
        }
    }

    @Test func perRequestLoaderServesHTTPURLsFromAFolder() async throws {
        let run = try await Example("per-request-loader").run(
            Repository.fixture(""), "https://images.invalid/a/png-3x5.png")
        #expect(run.status == 0)
        #expect(
            run.lines == [
                "with the manager's loaders: no loader for https URLs is installed",
                "with a loader of its own: 3×5 png",
            ])
    }

    @Test func decryptingLoaderRequiresTheKey() async throws {
        try await withTemporaryDirectory { folder in
            let sealed = folder.appending(path: "sealed").path
            let run = try await Example("decrypting-loader").run(Repository.fixture("png-3x5.png"), sealed)
            #expect(run.status == 0)
            #expect(run.lines.count == 3)
            #expect(run.lines[0].hasPrefix("without the key: ") && !run.lines[0].contains("×"))
            #expect(run.lines[1] == "with another key: the decryptor rejected the bytes")
            #expect(run.lines[2] == "with the key: 3×5 png")
            #expect(try Data(contentsOf: URL(filePath: sealed)).starts(with: Data("\u{89}PNG".utf8)) == false)
        }
    }

    @Test func customPipelineUsesAllItsParts() async throws {
        let run = try await Example("custom-pipeline").run()
        #expect(run.status == 0)
        #expect(
            run.lines == [
                "swatch:ff8800?comment=one is #ffff8800 from network, cached as swatch:ff8800",
                "swatch:ff8800?comment=two is #ffff8800 from disk, cached as swatch:ff8800",
                "swatch:0088ff is #ff0088ff from network, cached as swatch:0088ff",
                "2 entries on disk",
            ])
    }
}
