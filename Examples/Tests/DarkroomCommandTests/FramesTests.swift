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
                Set(object.keys) == ["source", "index", "duration", "width", "height", "bytes", "path", "error"])
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
