import DarkroomTestKit
import Foundation
import PictureServer
import Testing

struct LoadTests {
    @Test func jsonHasAllFieldsOfALoad() async throws {
        try await withTemporaryDirectory { cache in
            let path = Fixture.path("jpeg-orientation-6.jpg")
            let run = try await darkroom("load", path, "--json", "--thumbnail", "10x10", "--cache", cache.path)
            let object = try #require(try run.objects.first)
            #expect(run.status == 0)
            #expect(
                Set(object.keys) == [
                    "source", "key", "file", "format", "width", "height", "frames", "origin", "bytes", "milliseconds",
                    "output", "notes", "error", "decision", "stages", "quality", "score", "encodes",
                ])
            #expect(object["source"] as? String == path)
            #expect(object["format"] as? String == "jpeg")
            #expect(object["width"] as? Int == 6)
            #expect(object["height"] as? Int == 10)
            #expect(object["origin"] as? String == "local")
            #expect(object["error"] is NSNull)
        }
    }

    @Test(arguments: [false, true])
    func networkThenDiskThenMemory(writesFiles: Bool) async throws {
        try await withTemporaryDirectory { folder in
            let cache = folder.appending(path: "cache")
            try await PictureServer(folder: Fixture.folder).run { server in
                let url = "\(server)/jpeg-420.jpg"
                let output = writesFiles ? ["--output", "\(folder.path)/output/"] : []
                let arguments = ["--thumbnail", "10x10", "--json", "--cache", cache.path] + output
                let cold = try await darkroom(["load", url] + arguments)
                let warm = try await darkroom(["load", url, url] + arguments)
                #expect(
                    try (cold.objects + warm.objects).map { $0["origin"] as? String } == ["network", "disk", "memory"])
                let other = try await darkroom("load", url, "--thumbnail", "5x5", "--json", "--cache", cache.path)
                #expect(try other.objects.first?["origin"] as? String == "original")
            }
        }
    }

    @Test func linesAreInTheOrderOfTheSources() async throws {
        let names = ["png-rgb-8.png", "jpeg-420.jpg", "webp-lossy.webp", "gif-89a.gif", "png-rgb-8.png"]
        let run = try await darkroom(["load", "--json", "--no-cache", "--jobs", "3"] + names.map(Fixture.path))
        #expect(try run.objects.map { $0["source"] as? String } == names.map(Fixture.path))
    }

    @Test func namesAfterTwoHyphensMayBeginWithOne() async throws {
        let run = try await darkroom("load", "--no-cache", "--json", "--", "--nonsense.png")
        #expect(run.status == 1)
        #expect(try run.objects.first?["source"] as? String == "--nonsense.png")
    }

    @Test func fieldsOfTheJSONAreStable() async throws {
        let run = try await darkroom("load", "--no-cache", "--json", Fixture.path("png-1x1.png"), "/no/such.png")
        let fields: Set = [
            "source", "key", "file", "format", "width", "height", "frames", "origin", "decision", "bytes",
            "milliseconds", "stages", "output", "notes", "error", "quality", "score", "encodes",
        ]
        #expect(try run.objects.map { Set($0.keys) } == [fields, fields])
    }

    @Test func standardInputIsNeverCached() async throws {
        try await withTemporaryDirectory { cache in
            let input = URL(filePath: Fixture.path("webp-lossy.webp"))
            let run = try await darkroom("load", "-", "--json", "--cache", cache.path, input: input)
            let object = try #require(try run.objects.first)
            #expect(object["origin"] as? String == "local")
            #expect(object["key"] is NSNull)
            let usage = try await darkroom("cache", "stats", "--json", "--cache", cache.path)
            #expect(try usage.objects.first?["entries"] as? Int == 0)
        }
    }

    @Test func quietPrintsNothingButErrors() async throws {
        let run = try await darkroom("load", Fixture.path("png-1x1.png"), "/no/such.png", "--quiet", "--no-cache")
        #expect(run.output.isEmpty)
        #expect(run.errors == "darkroom: /no/such.png: there is no file at /no/such.png\n")
    }

    @Test func cacheOnlyNeverContactsTheOrigin() async throws {
        try await withTemporaryDirectory { cache in
            try await PictureServer(folder: Fixture.folder).run { server in
                let arguments = ["load", "\(server)/png-rgb-8.png", "--json", "--cache", cache.path]
                let miss = try await darkroom(arguments + ["--from-cache-only"])
                let error = try #require(try miss.objects.first?["error"] as? [String: Any])
                #expect(miss.status == 1)
                #expect(error["kind"] as? String == "cacheOnlyMiss")
                _ = try await darkroom(arguments)
                let hit = try await darkroom(arguments + ["--from-cache-only"])
                #expect(try hit.objects.first?["origin"] as? String == "disk")
            }
        }
    }

    @Test func refreshRevalidates() async throws {
        try await withTemporaryDirectory { cache in
            try await PictureServer(folder: Fixture.folder).run { server in
                let arguments = ["load", "\(server)/png-rgb-8.png", "--json", "--cache", cache.path]
                let loads = try await darkroom(arguments).objects + darkroom(arguments + ["--refresh"]).objects
                #expect(loads.map { $0["error"] is NSNull } == [true, true])
            }
        }
    }
}
