import ArgumentParser
import Darkroom
import DarkroomTestKit
import Foundation
import Testing

@testable import DarkroomCommand

struct TransformTests {
    private func identifiers(_ arguments: String...) async throws -> [String] {
        let manager = try ImageManager { $0.install(StandardPlugins()) }
        return try await VariantOptions.parse(arguments).fullContext(imagesFrom: manager).transformers.map(\.identifier)
    }

    @Test func listsMayBeGivenSeveralTimes() async throws {
        #expect(
            try await identifiers("--transform", "flip:h+blur:3", "--transform", "resize:3x2:cover") == [
                "Flipping(1,0)", "Blur(3.000000)", "Resizing({3.000000,2.000000},2)",
            ])
        #expect(try await identifiers() == [])
    }

    @Test(arguments: [
        ("flip:x", "direction of flip must be horizontal, vertical or both, not \"x\""),
        ("sharpn", "there is no transform \"sharpn\"; did you mean sharpen?"),
        ("watermark:/no/such.png", "the image at /no/such.png cannot be read"),
        ("watermark:/dev/zero", "the image at /dev/zero cannot be read"), ("", "the list of transforms is empty"),
    ])
    func messageDescribesTheError(text: String, sentence: String) async throws {
        let run = try await darkroom("load", "a.png", "--transform", text)
        #expect(run.status == 2)
        #expect(run.errors.contains(sentence))
        #expect(run.output.isEmpty)
    }

    @Test func everyCommandWithVariantsAcceptsTransforms() async throws {
        try await withTemporaryDirectory { folder in
            let list = folder.appending(path: "list")
            try Data("\(Fixture.path("png-rgb-8.png"))\n".utf8).write(to: list)
            let cache = ["--cache", folder.appending(path: "cache").path]
            let source = Fixture.path("png-rgb-8.png")
            for command in [
                ["load", source, "--json"] + cache, ["key", source], ["explain", source] + cache,
                ["prefetch", list.path] + cache, ["frames", source, "--output", folder.path, "--no-cache"],
            ] {
                #expect(try await darkroom(command + ["--transform", "aspectCrop:1x1+greyscale"]).status == 0)
                #expect(try await darkroom(command + ["--transform", "greyscal"]).status == 2)
            }
        }
    }

    @Test func watermarkIsAFile() async throws {
        try await withTemporaryDirectory { folder in
            let mark = folder.appending(path: "a+b, c.png")
            try FileManager.default.copyItem(atPath: Fixture.path("png-1x1.png"), toPath: mark.path)
            let name = mark.path.replacing("+", with: "%2B").replacing(",", with: "%2C")
            let key = try await darkroom("key", "http://foo/a.png", "--transform", "watermark:\(name),top,opacity=0.5")
            #expect(key.status == 0)
            #expect(key.lines.first?.contains("-Watermark(") == true)
        }
    }

    @Test(arguments: ["pixelCount=3", "encodedByteCount=100"], [[], ["--isolate"]])
    func imageObeysTheLimits(limit: String, options: [String]) async throws {
        let mark = Fixture.path("png-3x5.png")
        let run = try await darkroom(
            ["load", Fixture.path("png-1x1.png"), "--no-cache", "--limit", limit, "--transform", "watermark:\(mark)"]
                + options)
        #expect(run.status == 3)
        let parts = limit.split(separator: "=")
        #expect(run.errors.contains("the image at \(mark): \(parts[0]) is "))
        #expect(run.errors.contains("the limit is \(parts[1]); raise it with --limit \(parts[0])"))
    }

    @Test func damagedImageIsAFailure() async throws {
        try await withTemporaryDirectory { folder in
            let mark = folder.appending(path: "mark.png").path
            try Data("no image".utf8).write(to: URL(filePath: mark))
            let run = try await darkroom("key", "http://foo/a.png", "--transform", "watermark:\(mark)")
            #expect(run.status == 1)
            #expect(run.errors.hasPrefix("darkroom: the image at \(mark): "))
        }
    }

    /// The home folder has a file that an expanded name would refer to.
    @Test func tildeInTheNameOfAnImageIsAName() async throws {
        try await withTemporaryDirectory { folder in
            let (home, current) = (folder.appending(path: "home"), folder.appending(path: "current"))
            let mark = current.appending(path: "~/mark.png")
            for folder in [home, mark.deletingLastPathComponent()] {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            }
            try Data("no image".utf8).write(to: home.appending(path: "mark.png"))
            try FileManager.default.copyItem(atPath: Fixture.path("png-3x5.png"), toPath: mark.path)
            let command = """
                cd '\(current.path)'
                HOME='\(home.path)' '\(Process.built("darkroom").path)' load '\(Fixture.path("png-rgb-8.png"))' \
                    --no-cache --transform 'watermark:~%2Fmark.png' --output
                """
            #expect(try await bash("\(command) result.png").status == 0)
            let other = try await bash("\(command) '~/mark.png'")
            #expect(other.status == 1)
            #expect(other.errors.contains("~/mark.png is another input and would be overwritten"))
            try FileManager.default.removeItem(at: mark)
            let missing = try await bash("\(command) \(home.path)/mark.png")
            #expect(missing.status == 2)
            #expect(missing.errors.contains("the image at ~/mark.png cannot be read"))
            #expect(try Data(contentsOf: home.appending(path: "mark.png")) == Data("no image".utf8))
        }
    }
}
