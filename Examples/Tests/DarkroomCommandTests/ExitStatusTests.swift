import Foundation
import PictureServer
import Testing

struct ExitStatusTests {
    @Test(
        arguments: [
            (["/no/such.png"], 1),
            ([Fixture.path("broken/png-truncated.png")], 1),
            ([Fixture.path("png-rgb-8.png"), "/no/such.png"], 1),
            ([Fixture.path("png-rgb-8.png")], 0),
            ([Fixture.path("png-rgb-8.png"), "--limit", "pixelCount=3"], 3),
            ([Fixture.path("broken/png-bomb-size.png")], 3),
            ([Fixture.path("broken/png-bomb-size.png"), "/no/such.png"], 1),
            (["http://127.0.0.1:1/a.png"], 4),
            (["http://127.0.0.1:1/a.png", "/no/such.png"], 1),
            (["ftp://127.0.0.1/a.png"], 1),
        ] as [([String], Int32)])
    func statusReflectsTheKindOfFailure(sources: [String], status: Int32) async throws {
        #expect(try await darkroom(["load", "--no-cache", "--quiet"] + sources).status == status)
    }

    @Test(arguments: [
        ["load"], ["load", "a.png", "--thumbnail", "3x3x3"], ["load", "a.png", "--stretch"],
        ["load", "--nonsense", "a.png"],
        ["load", "a.png", "--transform", "flip:x"], ["key", "a.png", "--map-host", "a"],
        ["load", "a.png", "--limit", "size=3"], ["load", "-", "-"],
        ["load", "a.png", "b.png", "--output", "-"], ["load", "a.png", "--json", "--output", "-"],
        ["load", "a.png", "--cache", "x", "--no-cache"], ["load", "a.png", "--jobs", "0"],
        ["load", "a.png", "--output", "b.png", "--quality", "101"], ["nonsense"], ["key"],
        ["load", "a.png", "--max-bytes", "9"], ["load", "a.png", "--output", "b.jpg", "--max-bytes", "0"],
        ["load", "a.png", "--output", "b.jpg", "--max-bytes", "9", "--encoder-quality", "50"],
        ["load", "a.png", "--output", "b.jpg", "--keep", "place"], ["load", "a.png", "--keep", "copyright"],
        ["load", "a.png", "--output", "b.jpg", "--keep", "exif", "--keep-metadata"],
        ["load", "a.png", "--output", "b.jpg", "--subsampling", "411"],
        ["load", "a.png", "--output", "b.webp", "--near-lossless", "101"],
        ["load", "a.png", "--output", "b.jpg", "--encoder-quality", "9", "--quality", "50"],
        ["load", "a.png", "--output", "b.jpg", "--background", "#80ffffff"],
        ["load", "a.png", "--output", "b.png", "--max-size", "1.5x3"],
        ["load", "a.png", "--output", "b.png", "--compression-level", "10"],
        ["load", "a.png", "--output", "b.png", "--colors", "1"],
        ["load", "a.png", "--output", "b.gif", "--colors", "257"],
        ["load", "a.png", "--output", "b.gif", "--dithering", "101"],
        ["load", "a.png", "--output", "b.gif", "--frame-tolerance", "256"],
        ["load", "a.png", "--limit", "workTime=inf"], ["frames", "a.png"], ["frames", "a.png", "--output", "-"],
        ["play", "a.png"], ["play", "a.png", "--style", "blocks", "--rate", "0"],
        ["play", "a.png", "--style", "blocks", "--loops", "-1"], ["play", "a.png", "--style", "ascii"],
    ])
    func invalidArgumentsAreAUsageError(arguments: [String]) async throws {
        let run = try await darkroom(arguments)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(!run.errors.isEmpty)
    }

    @Test func missingImageIsANetworkFailure() async throws {
        try await PictureServer(folder: Fixture.folder).run { server in
            let run = try await darkroom("load", "\(server)/nothing.png", "--no-cache")
            #expect(run.status == 4)
            #expect(run.errors.hasPrefix("darkroom: \(server)/nothing.png: "))
        }
    }

    @Test func invalidContentTypeIsANetworkFailure() async throws {
        try await PictureServer(folder: Fixture.folder).run { server in
            let run = try await darkroom("load", "\(server)/README.md", "--no-cache")
            #expect(run.status == 4)
        }
    }

    /// The address space of a process has a part that no one can read.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/mem"), "only Linux has /proc"))
    func unreadableFileIsNoNetworkFailure() async throws {
        for arguments in [["load", "--no-cache"], ["info"]] {
            let run = try await darkroom(arguments + ["/proc/self/mem"])
            #expect(run.status == 1, "\(run.errors)")
        }
    }

    @Test func slowOriginsTimeOut() async throws {
        try await PictureServer(folder: Fixture.folder, chunkDelay: .seconds(60)).run { server in
            let run = try await darkroom("load", "\(server)/png-rgb-8.png", "--no-cache", "--timeout", "0.2")
            #expect(run.status == 4)
        }
    }
}
