import DarkroomTestKit
import Foundation
import Testing

/// An output never overwrites an input unasked.
struct InputFileTests {
    /// A folder with the files `a.jpg`, `b.png`, a symbolic link `link.png` to the latter, and a hard link `hard.png`.
    private func withImages(_ body: (URL) async throws -> Void) async throws {
        try await withTemporaryDirectory { folder in
            let files = FileManager.default
            for (name, fixture) in [("a.jpg", "jpeg-420.jpg"), ("b.png", "png-rgb-8.png")] {
                try files.copyItem(at: URL(filePath: Fixture.path(fixture)), to: folder.appending(path: name))
            }
            let original = folder.appending(path: "b.png")
            try files.createSymbolicLink(at: folder.appending(path: "link.png"), withDestinationURL: original)
            try files.linkItem(at: original, to: folder.appending(path: "hard.png"))
            try await body(folder)
        }
    }

    @Test(arguments: [
        (["a.jpg"], "."), (["a.jpg", "b.png"], "./"), (["b.png"], "b.png"), (["b.png"], "link.png"),
        (["b.png"], "hard.png"), (["link.png"], "b.png"), (["link.png"], "link.png"),
        (["a.jpg", "--transform", "watermark:b.png"], "b.png"), (["a.jpg", "--dry-run"], "."),
        (["b.png", "--dry-run"], "link.png"), (["b.png"], "./../$/b.png"),
    ])
    func inputIsNotOverwritten(arguments: [String], output: String) async throws {
        try await withImages { folder in
            let output = output.replacing("$", with: folder.lastPathComponent)
            let arguments = arguments.map { $0.contains(".") ? $0.inFolder(folder.path) : $0 }
            let before = try folder.contents
            let run = try await darkroom(
                ["load", "--no-cache", "--thumbnail", "9x9", "--output", "\(folder.path)/\(output)"] + arguments)
            #expect(run.status != 0)
            #expect(try folder.contents == before, "\(run.errors)")
        }
    }

    @Test func sourceIsReplacedInPlace() async throws {
        try await withImages { folder in
            let paths = ["a.jpg", "b.png"].map { folder.appending(path: $0).path }
            let run = try await darkroom(
                ["load", "--no-cache", "--thumbnail", "9x9", "--in-place", "--output", folder.path] + paths)
            #expect(run.status == 0, "\(run.errors)")
            let widths = try await darkroom(["info", "--json"] + paths).objects.map { $0["width"] as? Int }
            #expect(widths == [9, 9])
        }
    }

    @Test(arguments: ["b.png", "hard.png", "link.png"])
    func otherSourcesAreNotReplacedInPlace(name: String) async throws {
        try await withImages { folder in
            try await withTemporaryDirectory { other in
                // Its output would be the file of the second source.
                let first = other.appending(path: "b.png").path
                try FileManager.default.copyItem(atPath: Fixture.path("png-3x5.png"), toPath: first)
                let file = folder.appending(path: "b.png")
                let before = try Data(contentsOf: file)
                let run = try await darkroom(
                    "load", "--no-cache", "--in-place", "--output", folder.path, first,
                    folder.appending(path: name).path)
                #expect(run.status == 1)
                #expect(
                    run.errors.contains("b.png is another input and would be overwritten; choose another --output\n"))
                #expect(try Data(contentsOf: file) == before)
            }
        }
    }

    @Test func redirectedStreamsAreNotOverwritten() async throws {
        try await withImages { folder in
            let file = folder.appending(path: "b.png")
            let before = try Data(contentsOf: file)
            let run = try await darkroom("load", "-", "--no-cache", "--output", file.path, input: file)
            #expect(run.status == 1)
            let command = Process.built("darkroom").path
            let other = try await bash("'\(command)' load --no-cache '\(file.path)' --output - 1<>'\(file.path)'")
            #expect(other.status == 1)
            #expect(other.errors.contains("standard output is the source itself and would be overwritten"))
            #expect(try Data(contentsOf: file) == before)
        }
    }

    @Test func framesDoNotReplaceTheirSource() async throws {
        try await withImages { folder in
            let frame = folder.appending(path: "b-0001-0.000s.png")
            try FileManager.default.createSymbolicLink(at: frame, withDestinationURL: folder.appending(path: "b.png"))
            let before = try folder.contents
            let run = try await darkroom(
                "frames", folder.appending(path: "b.png").path, "--no-cache", "--output", folder.path)
            #expect(run.status == 1)
            #expect(try folder.contents == before)
        }
    }
}

extension URL {
    /// The names and bytes of the files in this folder.
    fileprivate var contents: [String: Data] {
        get throws {
            Dictionary(uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: appending(path: $0))) })
        }
    }
}

extension String {
    /// The argument with the path of `folder` before the name of a file.
    fileprivate func inFolder(_ folder: String) -> String {
        hasPrefix("watermark:")
            ? "watermark:\(folder)/\(dropFirst(10))".replacing("/", with: "%2F") : "\(folder)/\(self)"
    }
}
