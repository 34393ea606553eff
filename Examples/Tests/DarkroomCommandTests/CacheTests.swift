import DarkroomTestKit
import Foundation
import PictureServer
import Testing

struct CacheTests {
    @Test func removeDeletesAnImageWithItsThumbnails() async throws {
        try await withTemporaryDirectory { cache in
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

    @Test func removingNothingIsReported() async throws {
        try await withTemporaryDirectory { cache in
            let source = Fixture.path("jpeg-420.jpg")
            _ = try await darkroom("load", source, "--thumbnail", "9x9", "--cache", cache.path)
            for count in [1, 0] {
                let run = try await darkroom("cache", "remove", source, "--json", "--cache", cache.path)
                #expect(run.status == 0)
                #expect(try run.objects.first?["removed"] as? Int == count)
            }
            let run = try await darkroom("cache", "remove", source, "--cache", cache.path)
            #expect(run.lines == ["\(source): not in the cache", "\(cache.path): 0 entries, 0 B"])
        }
    }

    @Test(arguments: ["load", "explain", "frames", "play"])
    func unusableCacheIsAWarning(command: String) async throws {
        try await withTemporaryDirectory { folder in
            let options = ["frames": ["--output", folder.path], "play": ["--style", "blocks"]][command] ?? []
            let run = try await darkroom(
                [command, Fixture.path("png-3x5.png"), "--cache", Fixture.path("png-1x1.png") + "/x"] + options)
            #expect(run.status == 0 && !run.output.isEmpty)
            // A dry run creates no folder, and so does not notice.
            guard command != "explain" else { return }
            #expect(run.errors.hasSuffix("/x cannot be used: Not a directory; no disk cache is used\n"))
        }
    }

    @Test(arguments: [["prefetch", "/dev/null"], ["cache", "warm", Fixture.path("png-3x5.png")]])
    func unusableCacheIsAnErrorForCommandsThatFillIt(arguments: [String]) async throws {
        let run = try await darkroom(arguments + ["--cache", Fixture.path("png-1x1.png") + "/x"])
        #expect(run.status == 1)
        #expect(run.errors.hasSuffix("/x cannot be used: Not a directory\n"))
    }

    @Test func verifyRemovesDamagedEntries() async throws {
        try await withTemporaryDirectory { cache in
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

    @Test(arguments: ["stats", "ls", "verify", "clear", "trim"])
    func inspectingDoesNotCreateTheFolder(command: String) async throws {
        try await withTemporaryDirectory { folder in
            let cache = folder.appending(path: "none")
            let run = try await darkroom("cache", command, "--cache", cache.path)
            #expect(run.status == 0)
            #expect(!FileManager.default.fileExists(atPath: cache.path))
        }
    }

    @Test func warmLoadsUncachedImages() async throws {
        try await withTemporaryDirectory { cache in
            let source = Fixture.path("jpeg-420.jpg")
            for word in ["loaded", "cached"] {
                let run = try await darkroom(
                    "cache", "warm", source, "--thumbnail", "9x9", "--json", "--cache", cache.path)
                #expect(try run.objects.first?["outcome"] as? String == word)
            }
            #expect(try await entries("stat", in: cache) == 1)
        }
    }

    @Test func lsListsTheFileOfAKey() async throws {
        try await withTemporaryDirectory { cache in
            let source = Fixture.path("jpeg-420.jpg")
            _ = try await darkroom("load", source, "--thumbnail", "9x9", "--cache", cache.path)
            let key = try await darkroom("key", source, "--thumbnail", "9x9", "--json")
            let list = try await darkroom("cache", "ls", "--json", "--cache", cache.path)
            let entry = try #require(try list.objects.first)
            #expect(try list.objects.count == 1)
            #expect(Set(entry.keys) == ["file", "bytes", "stored", "format", "width", "height"])
            #expect(entry["file"] as? String == (try key.objects.first?["fileName"] as? String))
            #expect(entry["format"] as? String == "png")
            #expect(max(entry["width"] as? Int ?? 0, entry["height"] as? Int ?? 0) == 9)
            let line = try #require(try await darkroom("cache", "ls", "--cache", cache.path).lines.first)
            #expect(line.hasSuffix("  \(entry["file"] as? String ?? "")"))
        }
    }

    @Test func foreignFilesAreNeitherListedNorRemoved() async throws {
        try await withTemporaryDirectory { cache in
            let subfolder = cache.appending(path: "100")
            try FileManager.default.createDirectory(at: subfolder, withIntermediateDirectories: true)
            let file = subfolder.appending(path: "IMG_0001.jpg")
            try Data([1]).write(to: file)
            _ = try await darkroom("load", Fixture.path("jpeg-420.jpg"), "--thumbnail", "9x9", "--cache", cache.path)
            #expect(try await darkroom("cache", "ls", "--cache", cache.path).lines.count == 1)
            _ = try await darkroom("cache", "clear", "--cache", cache.path)
            #expect(try await darkroom("cache", "ls", "--cache", cache.path).lines.isEmpty)
            #expect(try Data(contentsOf: file) == Data([1]))
        }
    }

    @Test func explainingCreatesNoCache() async throws {
        try await withTemporaryDirectory { folder in
            let cache = folder.appending(path: "none")
            _ = try await darkroom("explain", Fixture.path("jpeg-420.jpg"), "--cache", cache.path)
            #expect(!FileManager.default.fileExists(atPath: cache.path))
        }
    }

    @Test func aliasesOfCommandsWork() async throws {
        try await withTemporaryDirectory { cache in
            let source = Fixture.path("jpeg-420.jpg")
            _ = try await darkroom("load", source, "--thumbnail", "9x9", "--cache", cache.path)
            #expect(try await entries("gc", in: cache) == 1)
            #expect(try await entries("purge", source, in: cache) == 0)
        }
    }

    private func entries(_ command: String..., in cache: URL) async throws -> Int? {
        let run = try await darkroom(["cache"] + command + ["--json", "--cache", cache.path])
        return try run.objects.first?["entries"] as? Int
    }
}
