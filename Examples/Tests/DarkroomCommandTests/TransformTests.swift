import ArgumentParser
import Darkroom
import DarkroomTestKit
import Foundation
import Testing

@testable import DarkroomCommand

struct TransformTests {
    private func identifiers(_ arguments: String...) throws -> [String] {
        try VariantOptions.parse(arguments).context.transformers.map(\.identifier)
    }

    @Test func listsMayBeGivenSeveralTimes() throws {
        #expect(
            try identifiers("--transform", "flip:h+blur:3", "--transform", "resize:3x2:cover") == [
                "Flipping(1,0)", "Blur(3.000000)", "Resizing({3.000000,2.000000},2)",
            ])
        #expect(try identifiers() == [])
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
}
