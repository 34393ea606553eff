import DarkroomTestKit
import Foundation
import Testing

struct OutputTests {
    @Test(arguments: [
        (["png-rgb-8.png"], "a.webp", "webp"), (["png-rgb-8.png"], "a", "png"), (["jpeg-420.jpg"], "a", "jpeg"),
        (["jpeg-420.jpg", "--format", "gif"], "a.png", "gif"), (["jpeg-420.jpg"], "a.JPG", "jpeg"),
    ])
    func nameDeterminesTheFormat(arguments: [String], name: String, format: String) async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: name).path
            let arguments = [Fixture.path(arguments[0])] + arguments.dropFirst() + ["--output", file, "--json"]
            let load = try await darkroom(["load", "--no-cache"] + arguments)
            let object = try #require(try load.objects.first)
            #expect(object["output"] as? String == file)
            let info = try #require(try await darkroom("info", file, "--json").objects.first)
            #expect(info["format"] as? String == format)
            #expect(info["bytes"] as? Int == object["bytes"] as? Int)
            #expect(try folder.names == [name])
        }
    }

    @Test func standardOutputContainsOnlyTheImage() async throws {
        let run = try await darkroom(
            "load", Fixture.path("jpeg-420.jpg"), "--no-cache", "--output", "-", "--format", "png", "--thumbnail", "9x9"
        )
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        #expect(run.output.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }

    @Test func sourcesDoNotOverwriteEachOther() async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.appending(path: "new/thumbnails").path
            let sources = ["png-rgb-8.png", "png-rgb-8.png", "jpeg-420.jpg"].map(Fixture.path)
            let run = try await darkroom(["load", "--no-cache", "--output", path, "--thumbnail", "9x9"] + sources)
            #expect(run.status == 0)
            #expect(
                try folder.appending(path: "new/thumbnails").names
                    == ["jpeg-420.jpg", "png-rgb-8-2.png", "png-rgb-8.png"])
        }
    }

    @Test(arguments: [[], ["--thumbnail", "9x9"]])
    func filesInAFolderKeepTheFormatsOfTheirSources(options: [String]) async throws {
        try await withTemporaryDirectory { folder in
            let names = ["gif-89a.gif", "jpeg-420.jpg", "png-rgb-8.png", "webp-lossy.webp"]
            let run = try await darkroom(
                ["load", "--no-cache", "--json", "--output", folder.path + "/"] + names.map(Fixture.path) + options)
            #expect(run.status == 0)
            #expect(try folder.names == names)
            let infos = try await darkroom(["info", "--json"] + names.map { folder.appending(path: $0).path }).objects
            #expect(infos.map { $0["format"] as? String } == ["gif", "jpeg", "png", "webp"])
        }
    }

    @Test(arguments: [("a.png", true), ("a", false), ("a.d/", false)])
    func severalSourcesRequireAFolder(name: String, isFile: Bool) async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.path + "/" + name
            let sources = ["png-rgb-8.png", "jpeg-420.jpg"].map(Fixture.path)
            let run = try await darkroom(["load", "--no-cache", "--output", path] + sources)
            #expect(run.status == (isFile ? 2 : 0))
            #expect(run.errors.contains("a.png is a file, but there are 2 sources") == isFile)
            #expect(try folder.names.isEmpty == isFile)
        }
    }

    @Test func severalSourcesDoNotReplaceAFile() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "a")
            try Data("old".utf8).write(to: file)
            let sources = ["png-rgb-8.png", "jpeg-420.jpg"].map(Fixture.path)
            #expect(try await darkroom(["load", "--no-cache", "--output", file.path] + sources).status == 2)
            #expect(try Data(contentsOf: file) == Data("old".utf8))
        }
    }

    @Test(arguments: [
        ["broken/png-truncated.png"], ["gif-animated.gif", "--format", "jpeg"],
        ["png-rgb-8.png", "--limit", "pixelCount=3"],
    ])
    func failuresPreserveTheExistingFile(arguments: [String]) async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "a.png")
            try Data("old".utf8).write(to: file)
            let options = arguments.dropFirst() + ["--output", file.path, "--no-cache"]
            let run = try await darkroom(["load", Fixture.path(arguments[0])] + options)
            #expect(run.status != 0)
            #expect(try folder.names == ["a.png"])
            #expect(try Data(contentsOf: file) == Data("old".utf8))
        }
    }

    @Test(arguments: [
        ("png-rgba-8.png", [], true), ("png-rgb-8.png", [], false),
        ("png-rgba-8.png", ["--background", "black"], false),
        ("png-rgb-8.png", ["--transform", "roundCorner:9"], true),
    ])
    func transparentPixelsOfJPEGBecomeWhiteWithANote(name: String, options: [String], isNoted: Bool) async throws {
        try await withTemporaryDirectory { folder in
            let output = folder.appending(path: "a.jpg").path
            let arguments = ["load", Fixture.path(name), "-o", output, "--cache", folder.path + "/cache"] + options
            let run = try await darkroom(arguments)
            #expect(run.status == 0)
            #expect(run.errors.contains("transparent pixels became white") == isNoted)
            let file = try Data(contentsOf: URL(filePath: output))
            #expect(file.starts(with: [0xFF, 0xD8, 0xFF]))
            let again = try await darkroom(arguments)
            #expect(again.status == 0)
            #expect(try Data(contentsOf: URL(filePath: output)) == file)
        }
    }

    @Test(arguments: [
        ("png-rgba-8.png", [], "png"), ("jpeg-420.jpg", [], "jpeg"), ("webp-lossy.webp", [], "webp"),
        ("jpeg-420.jpg", ["--transform", "roundCorner:9"], "png"), ("gif-animated.gif", [], "gif"),
    ])
    func automaticFormatSuitsTheImage(name: String, options: [String], format: String) async throws {
        try await withTemporaryDirectory { folder in
            let output = folder.appending(path: "a").path
            let load = ["load", "--no-cache", Fixture.path(name), "-f", "auto", "-o", output] + options
            #expect(try await darkroom(load).status == 0)
            let info = try #require(try await darkroom("info", output, "--json").objects.first)
            #expect(info["format"] as? String == format)
            let named = try await darkroom(load.dropLast(options.count + 1) + [output + ".png"] + options)
            #expect(named.status == 2 && named.errors.contains("--format auto requires --output without an extension"))
        }
    }

    @Test func unwritablePathIsAnError() async throws {
        let run = try await darkroom("load", Fixture.path("png-rgb-8.png"), "--no-cache", "--output", "/no/such/a.png")
        #expect(run.status == 1)
        #expect(run.errors.contains("/no/such/a.png cannot be written: No such file or directory"))
    }

    @Test func transformsAreAppliedInOrder() async throws {
        let source = Fixture.path("png-rgb-8.png")
        let run = try await darkroom(
            "load", source, "--no-cache", "--json", "--transform", "crop:0,0,20,10", "--transform", "resize:8x8:cover")
        let object = try #require(try run.objects.first)
        #expect(object["width"] as? Int == 8)
        #expect(object["height"] as? Int == 8)
    }
}
