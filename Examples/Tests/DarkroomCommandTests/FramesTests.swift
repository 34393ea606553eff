import Console
import Darkroom
import DarkroomTestKit
import Foundation
import Synchronization
import Testing

@testable import DarkroomCommand

struct FramesTests {
    @Test func stillIsOneFrame() async throws {
        try await withTemporaryDirectory { folder in
            let source = Fixture.path("png-rgb-8.png")
            let run = try await darkroom(
                "frames", source, "--output", folder.appending(path: "new").path, "--no-cache", "--json",
                "--thumbnail", "10x10")
            let object = try #require(try run.objects.first)
            let info = try #require(try await darkroom("info", source, "--json").objects.first)
            #expect(run.status == 0)
            #expect(
                Set(object.keys) == [
                    "source", "index", "duration", "width", "height", "bytes", "path", "notes", "error",
                ])
            #expect(object["notes"] as? [String] == [])
            #expect(object["index"] as? Int == 1)
            #expect(object["duration"] as? Double == 0)
            #expect(info["width"] as? Int != 10 && object["width"] as? Int == 10)
            #expect(try folder.appending(path: "new").names == ["png-rgb-8-0001-0.000s.png"])
        }
    }

    @Test(
        arguments: [
            (["/no/such.png"], 1), ([Fixture.path("png-rgb-8.png"), "--limit", "pixelCount=3"], 3),
            (["http://127.0.0.1:1/a.png"], 4),
        ] as [([String], Int32)])
    func failuresAreReported(arguments: [String], status: Int32) async throws {
        try await withTemporaryDirectory { folder in
            let arguments = ["frames", "--no-cache", "--output", folder.path] + arguments
            let run = try await darkroom(arguments + ["--json"])
            #expect(run.status == status)
            #expect(try run.objects.first?["error"] is [String: Any])
            #expect(try await darkroom(arguments).errors.hasPrefix("darkroom: "))
            #expect(try folder.names.isEmpty)
        }
    }

    @Test func everyFrameIsAFile() async throws {
        try await withTemporaryDirectory { folder in
            let durations = [0.1, 0.25, 1.5]
            let image = try #require(try Image(frames: durations.map { Frame(try .row([$0]), duration: .seconds($0)) }))
            let outcomes = try await outcomes(of: image, in: folder)
            #expect(
                try folder.names == ["cat-0001-0.100s.png", "cat-0002-0.250s.png", "cat-0003-1.500s.png"])
            #expect(outcomes.map(\.number) == [1, 2, 3])
            #expect(outcomes.map(\.duration) == durations.map { .seconds($0) })
            for (name, duration) in zip(try folder.names, durations) {
                let data = try Data(contentsOf: folder.appending(path: name))
                #expect(try PNGCoder.registry.decode(data).bitmap == .row([duration]))
            }
        }
    }

    @Test func undecodableFrameIsSkipped() async throws {
        try await withTemporaryDirectory { folder in
            let outcomes = try await outcomes(of: try .broken(at: 1), in: folder)
            #expect(outcomes.map { (try? $0.result.get()) != nil } == [true, false, true])
            #expect(try folder.names == ["cat-0001-0.100s.png", "cat-0003-0.100s.png"])
        }
    }

    /// The damage of the first frame is known when the image is loaded.
    @Test func notesAreThoseOfTheFrame() async throws {
        try await withTemporaryDirectory { folder in
            var frames = try [0.1, 0.2, 0.3].map { Frame(try .row([$0]), duration: .milliseconds(100)) }
            for index in [0, 2] { frames[index].damage = "frame \(index + 1) has only 3 of 4 pixels" }
            var image = try #require(Image(frames: frames))
            image.metadata.notes = ["frame 1 has only 3 of 4 pixels", "the GIF has no mark at its end"]
            let outcomes = try await outcomes(of: image, in: folder)
            #expect(outcomes.map(\.notes) == [image.metadata.notes, [], ["frame 3 has only 3 of 4 pixels"]])
            #expect(try folder.names.count == 3)
        }
    }

    @Test func damagedFrameIsWrittenWithANote() async throws {
        try await withTemporaryDirectory { folder in
            let source = folder.appending(path: "cat.gif")
            try Self.damagedAnimation().write(to: source)
            let output = folder.appending(path: "frames")
            let arguments = ["frames", source.path, "--no-cache", "--output", output.path]
            let run = try await darkroom(arguments)
            #expect(
                run.status == 0 && run.lines.count == 3 && run.errors.contains("cat.gif: frame 2 of the GIF has only "))
            #expect(try output.names.count == 3)
            let objects = try await darkroom(arguments + ["--json"]).objects
            #expect(objects.map { ($0["notes"] as? [String])?.count } == [0, 1, 0])
            let quiet = try await darkroom(arguments + ["--quiet"])
            #expect(quiet.status == 0 && quiet.errors.isEmpty)
        }
    }

    /// Returns a GIF of three frames, of which the second one has compressed pixels that break off.
    private static func damagedAnimation() throws -> Data {
        let frames = try (0..<3).map { number -> Frame in
            let grays = (0..<60).map { x -> Double in Double((7 * x + 5 * number) % 23) / 10 }
            return Frame(try .row(grays), duration: .milliseconds(100))
        }
        var data = try CoderRegistry([GIFCoder()]).encode(#require(Image(frames: frames)), as: .gif)
        // A graphic control extension of eight bytes, and a descriptor of ten with flags at the end.
        let control = data.ranges(of: Data([0x21, 0xF9, 4]))[1].lowerBound
        let flags = Int(data[control + 17])
        let paletteCount = flags & 0x80 == 0 ? 0 : 3 << ((flags & 7) + 1)
        let block = control + 19 + paletteCount
        for place in (block + 4)...(block + Int(data[block])) { data[place] = 0xFF }
        return data
    }

    @Test func firstWriteErrorEndsTheCommand() async throws {
        try await withTemporaryDirectory { folder in
            let reports = Mutex(0)
            let image = try #require(
                try Image(frames: [0.1, 0.2].map { Frame(try .row([$0]), duration: .seconds($0)) }))
            await #expect(throws: ImageError.self) {
                try await runner(in: folder.appending(path: "none")).write(image) { _ in reports.withLock { $0 += 1 } }
            }
            #expect(reports.withLock(\.self) == 0)
        }
    }

    private func outcomes(of image: Image, in folder: URL) async throws -> [FrameOutcome] {
        let outcomes = Mutex<[FrameOutcome]>([])
        try await runner(in: folder).write(image) { outcome in outcomes.withLock { $0.append(outcome) } }
        return outcomes.withLock(\.self)
    }

    private func runner(in folder: URL) throws -> FramesRunner {
        let source = try #require(Source(argument: "/pictures/cat.gif"))
        return FramesRunner(
            coders: PNGCoder.registry, context: .init(), folder: OutputFolder(folder.path, sources: [source]),
            inputs: InputFiles([]))
    }
}
