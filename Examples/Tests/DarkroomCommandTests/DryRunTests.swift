import DarkroomTestKit
import Foundation
import PictureServer
import Testing

struct DryRunTests {
    @Test func dryRunOfLoadChangesNothing() async throws {
        try await withTemporaryDirectory { folder in
            try await PictureServer(folder: Fixture.folder).run { server in
                let (cache, output) = (folder.appending(path: "cache").path, folder.appending(path: "out").path)
                let arguments = ["load", "\(server)/png-rgb-8.png", "--cache", cache, "--output", output + "/"]
                let run = try await darkroom(arguments + ["--format", "webp", "--dry-run", "--json"])
                let object = try #require(try run.objects.first)
                #expect(run.status == 0)
                #expect(Set(object.keys) == ["source", "key", "origin", "decision", "output", "error"])
                #expect(object["origin"] as? String == "network")
                #expect(object["output"] as? String == "\(output)/png-rgb-8.webp")
                #expect(try folder.names.isEmpty)
                _ = try await darkroom(arguments)
                let warm = try await darkroom(arguments + ["--dry-run"])
                #expect(warm.lines == ["\(server)/png-rgb-8.png  from disk  → \(output)/png-rgb-8.*"])
            }
        }
    }

    @Test func unloadableSourceIsAFailure() async throws {
        let run = try await darkroom("load", "ftp://127.0.0.1/a.png", "--dry-run", "--no-cache")
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("darkroom: ftp://127.0.0.1/a.png: "))
    }

    @Test func dryRunOfPrefetchReportsCachedImages() async throws {
        try await withTemporaryDirectory { folder in
            let list = folder.appending(path: "list")
            let sources = ["png-rgb-8.png", "jpeg-420.jpg"].map(Fixture.path)
            try Data((sources + [""]).joined(separator: "\n").utf8).write(to: list)
            let cache = folder.appending(path: "cache").path
            let options = ["--thumbnail", "9x9", "--cache", cache]
            _ = try await darkroom(["cache", "warm", sources[0]] + options)
            let run = try await darkroom(["prefetch", list.path, "--dry-run", "--json"] + options)
            #expect(try run.objects.map { $0["origin"] as? String } == ["disk", "local"])
            #expect(try await darkroom("cache", "stats", "--cache", cache).lines.first?.contains(": 1 entries") == true)
        }
    }

    @Test func dryRunOfClearRemovesNothing() async throws {
        try await withTemporaryDirectory { cache in
            _ = try await darkroom(
                "load", Fixture.path("png-rgb-8.png"), "--thumbnail", "9x9", "--cache", cache.path)
            for (arguments, count) in [(["--dry-run"], 1), ([], 0)] {
                let run = try await darkroom(["cache", "clear", "--json", "--cache", cache.path] + arguments)
                #expect(try run.objects.first?["entries"] as? Int == count)
            }
        }
    }
}
