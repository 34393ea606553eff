import DarkroomTestKit
import Foundation
import PictureServer
import Testing

struct PrefetchTests {
    private static let fields: Set = ["source", "outcome", "error", "finished", "failed", "cached"]

    /// Writes `lines` into a list in `folder`.
    private func list(_ lines: [String], in folder: URL) throws -> URL {
        let file = folder.appending(path: "list.txt")
        try Data(lines.joined(separator: "\n").utf8).write(to: file)
        return file
    }

    @Test func eachEntryIsLoadedOnceAndThenCached() async throws {
        try await withTemporaryDirectory { folder in
            try await PictureServer(folder: Fixture.folder).run { server in
                let names = ["jpeg-420.jpg", "png-rgb-8.png", "webp-lossy.webp", "gif-89a.gif"]
                let lines = ["# images", ""] + names.map { "  \(server)/\($0) \r" } + ["#\(server)/none.png"]
                let file = try list(lines, in: folder).path
                let arguments = [
                    "prefetch", file, "--json", "--jobs", "2", "--thumbnail", "9x9", "--cache",
                    folder.appending(path: "cache").path,
                ]
                let cold = try await darkroom(arguments)
                #expect(cold.status == 0 && cold.errors.isEmpty)
                #expect(try cold.objects.allSatisfy { Set($0.keys) == Self.fields && $0["error"] is NSNull })
                #expect(
                    try Set(cold.objects.compactMap { $0["source"] as? String }) == Set(names.map { "\(server)/\($0)" })
                )
                #expect(try cold.objects.map { $0["finished"] as? Int } == [1, 2, 3, 4])
                #expect(try cold.objects.allSatisfy { $0["outcome"] as? String == "loaded" })
                let warm = try await darkroom(arguments)
                #expect(try warm.objects.allSatisfy { $0["outcome"] as? String == "cached" })
                #expect(try warm.objects.last?["cached"] as? Int == 4)
                let load = try await darkroom(
                    "load", "\(server)/\(names[0])", "--thumbnail", "9x9", "--json", "--cache",
                    folder.appending(path: "cache").path)
                #expect(try load.objects.first?["origin"] as? String == "disk")
            }
        }
    }

    @Test func countsArePrintedLast() async throws {
        try await withTemporaryDirectory { folder in
            let path = Fixture.path("png-rgb-8.png")
            let file = try list([path, path, "/no/such.png"], in: folder)
            let run = try await darkroom(
                [
                    "prefetch", "-", "--thumbnail", "9x9", "--jobs", "1", "--cache",
                    folder.appending(path: "cache").path,
                ],
                input: file)
            #expect(run.lines == ["3 finished, 1 failed, 1 already cached"])
            #expect(run.errors == "darkroom: /no/such.png: there is no file at /no/such.png\n")
            #expect(run.status == 1)
        }
    }

    @Test(
        arguments: [
            ([], 0), (["/no/such.png"], 1), (["http://["], 1), (["-"], 1), (["http://127.0.0.1:1/a.png"], 4),
            (["http://127.0.0.1:1/a.png", "/no/such.png"], 1), ([Fixture.path("broken/png-bomb-size.png")], 3),
        ] as [([String], Int32)])
    func statusesMatchThoseOfLoad(lines: [String], status: Int32) async throws {
        try await withTemporaryDirectory { folder in
            let file = try list(lines, in: folder).path
            let run = try await darkroom("prefetch", file, "--quiet", "--cache", folder.appending(path: "cache").path)
            #expect(run.status == status)
            #expect(run.output.isEmpty)
            #expect(run.errors.split(separator: "\n").count == lines.count)
        }
    }

    @Test(arguments: [["prefetch"], ["prefetch", "a", "--jobs", "0"], ["prefetch", "a", "--no-cache"]])
    func invalidArgumentsAreAUsageError(arguments: [String]) async throws {
        #expect(try await darkroom(arguments).status == 2)
    }

    @Test func zeroBytesSeparateArbitraryNames() async throws {
        try await withTemporaryDirectory { folder in
            let names = ["# line\nbreak.png", " space.png"]
            for name in names {
                try FileManager.default.copyItem(
                    at: URL(filePath: Fixture.path("png-3x5.png")), to: folder.appending(path: name))
            }
            let file = folder.appending(path: "list")
            let paths = names.map { folder.appending(path: $0).path }
            try Data(paths.map { $0 + "\0" }.joined().utf8).write(to: file)
            for option in ["--null", "-0"] {
                let cache = folder.appending(path: "cache\(option)").path
                let run = try await darkroom(["prefetch", option, "--json", "-", "--cache", cache], input: file)
                #expect(run.status == 0)
                #expect(try Set(run.objects.compactMap { $0["source"] as? String }) == Set(paths))
            }
        }
    }

    @Test func missingListIsAnError() async throws {
        let run = try await darkroom("prefetch", "/no/such/list")
        #expect(run.status == 1)
        #expect(run.errors.contains("the list /no/such/list cannot be read: No such file or directory"))
    }

    @Test func terminalShowsAProgressBar() async throws {
        try await withTemporaryDirectory { folder in
            let file = try list(["png-rgb-8.png", "jpeg-420.jpg"].map(Fixture.path), in: folder).path
            let (status, output) = try await PseudoTerminal(columns: 80, rows: 24)
                .run(["prefetch", file, "--cache", folder.appending(path: "cache").path])
            #expect(status == 0)
            #expect(output.contains("0 %  0/2"))
            #expect(output.hasSuffix("\r\u{1B}[K2 finished, 0 failed, 0 already cached\r\n"))
        }
    }

    @Test func interruptionEndsGracefully() async throws {
        try await withTemporaryDirectory { folder in
            // The reader of a pipe that is never closed waits for more.
            let (process, input, output) = (Process(), Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = output
            let cache = folder.appending(path: "cache").path
            let status = try await process.runDarkroom(["prefetch", "-", "--json", "--cache", cache]) {
                try input.fileHandleForWriting.write(contentsOf: Data("\(Fixture.path("png-rgb-8.png"))\n".utf8))
                _ = try output.fileHandleForReading.read(upToCount: 1)
                process.interrupt()
            }
            #expect(process.terminationReason == .exit)
            #expect(status == 130)
        }
    }
}
