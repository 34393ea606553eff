import Foundation
import PictureServer
import Testing

struct CacheTests {
    @Test func removeTakesAPictureWithItsThumbnails() async throws {
        try await withFolder { cache in
            try await PictureServer(folder: Fixture.folder).run { server in
                let urls = ["\(server)/jpeg-420.jpg", "\(server)/png-rgb-8.png"]
                _ = try await darkroom(["load", "--thumbnail", "9x9", "--cache", cache.path] + urls)
                #expect(try await entries("stats", in: cache) == 4)
                #expect(try await entries("trim", in: cache) == 4)
                #expect(try await entries("remove", urls[0], in: cache) == 2)
                #expect(try await entries("clear", in: cache) == 0)
            }
        }
    }

    @Test func verifyRemovesDamagedEntries() async throws {
        try await withFolder { cache in
            let sources = ["jpeg-420.jpg", "png-rgb-8.png"].map(Fixture.path)
            _ = try await darkroom(["load", "--thumbnail", "9x9", "--cache", cache.path] + sources)
            let files = FileManager.default.enumerator(at: cache, includingPropertiesForKeys: nil)?.allObjects as? [URL]
            let entry = try #require(files?.first { ["jpg", "png"].contains($0.pathExtension) })
            try Data("damaged".utf8).write(to: entry)
            let object = try #require(
                try await darkroom("cache", "verify", "--json", "--cache", cache.path).objects.first)
            #expect(object["intact"] as? Int == 1)
            #expect(object["removed"] as? Int == 1)
        }
    }

    @Test(arguments: ["stats", "verify", "clear", "trim"])
    func askingDoesNotMakeTheFolder(command: String) async throws {
        try await withFolder { folder in
            let cache = folder.appending(path: "none")
            let run = try await darkroom("cache", command, "--cache", cache.path)
            #expect(run.status == 0)
            #expect(!FileManager.default.fileExists(atPath: cache.path))
        }
    }

    private func entries(_ command: String..., in cache: URL) async throws -> Int? {
        let run = try await darkroom(["cache"] + command + ["--json", "--cache", cache.path])
        return try run.objects.first?["entries"] as? Int
    }
}
