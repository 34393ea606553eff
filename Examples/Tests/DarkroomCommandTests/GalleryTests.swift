import Console
import Darkroom
import DarkroomTestKit
import Foundation
import PictureServer
import Testing

@testable import Gallery

struct GalleryTests {
    private static let folder = "\(Fixture.folder)/animated"

    /// Returns the last frame, without escape sequences.
    private func frame(_ arguments: [String], input: URL? = nil) async throws -> [String] {
        let run = try await darkroom(arguments, input: input, command: "gallery")
        #expect(run.status == 0 && run.errors.isEmpty)
        return String(decoding: run.output, as: UTF8.self).replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "")
            .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    @Test(arguments: [(80, 24), (20, 8), (9, 3), (1, 1), (200, 100)])
    func framesFillTheTerminal(columns: Int, rows: Int) async throws {
        let lines = try await frame([Fixture.folder, "--keys", "jjk", "--size", "\(columns)x\(rows)"])
        #expect(lines.count == rows)
        #expect(lines.allSatisfy { $0.count <= columns })
    }

    @Test func keysScrollAndCellsAreReused() async throws {
        let names = try URL(filePath: Fixture.folder).names.filter {
            ["png", "jpg", "gif", "webp"].contains(URL(filePath: $0).pathExtension)
        }
        let lines = try await frame([Fixture.folder, "--keys", " jjjkq", "--size", "80x25"])
        #expect(lines.last?.contains("5–8 of \(names.count), 4 cells") == true)
        for name in names[4...7] { #expect(lines.contains { $0.contains(name) }) }
        #expect(lines.contains { $0.contains("▀") })
        #expect(lines.filter { $0.contains("from local") }.count == 4)
    }

    @Test func keysMayBePiped() async throws {
        try await withTemporaryDirectory { folder in
            let keys = folder.appending(path: "keys")
            try Data("\u{1B}[B\u{1B}[6~G".utf8).write(to: keys)
            let images = ["png-rgb-8.png", "jpeg-420.jpg", "png-1x1.png"].map(Fixture.path)
            let lines = try await frame(images + ["--size", "60x13"], input: keys)
            #expect(lines.last?.contains("2–3 of 3") == true)
        }
    }

    @Test func failuresOfAServerAreShown() async throws {
        try await withTemporaryDirectory { folder in
            try await PictureServer(folder: Fixture.folder).run { server in
                let list = folder.appending(path: "list")
                try Data("\(server)/jpeg-420.jpg\n\(server)/none.png\n".utf8).write(to: list)
                let arguments = ["--list", list.path, "--keys", "", "--cache", folder.appending(path: "cache").path]
                let lines = try await frame(arguments)
                #expect(lines.contains { $0.contains("from network") } && lines.contains { $0.contains("404") })
                #expect(try await frame(arguments).contains { $0.contains("from disk") })
            }
        }
    }

    @Test func oldEntriesOfAnotherProgramAreShown() async throws {
        try await withTemporaryDirectory { cache in
            try await PictureServer(folder: Fixture.folder).run { server in
                let arguments = ["\(server)/jpeg-420.jpg", "--keys", "", "--cache", cache.path]
                #expect(try await frame(arguments).contains { $0.contains("from network") })
                try await makeEntriesOld(in: cache)
                #expect(try await frame(arguments).contains { $0.contains("from disk") })
            }
        }
    }

    @Test func tildeInTheCacheFolderIsAName() async throws {
        try await withTemporaryDirectory { folder in
            let run = try await bash(
                """
                cd '\(folder.path)' && mkdir home '~' && HOME="$PWD/home" '\(Process.built("gallery").path)' \
                    '\(Fixture.path("png-1x1.png"))' --keys '' --cache '~/cache'
                """)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try folder.names == ["home", "~"] && folder.appending(path: "home").names.isEmpty)
            #expect(try folder.appending(path: "~/cache").names.contains("darkroom-usage"))
        }
    }

    @Test func terminalIsRestored() async throws {
        let (status, output) = try await PseudoTerminal(columns: 60, rows: 20)
            .run([Fixture.folder, "--keys", "jq"], command: "gallery")
        #expect(status == 0)
        #expect(output.numberOf("\u{1B}[?1049h") == 1)
        #expect(output.hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
    }

    @Test @MainActor func loadsOfHiddenRowsAreCancelled() async throws {
        let (started, cancelled) = (AsyncStream.makeStream(of: URL.self), AsyncStream.makeStream(of: URL.self))
        let manager = try ImageManager {
            $0.install(
                FakeLoader { request in
                    started.continuation.yield(request.url)
                    do { try await Gate().waitUnlessCancelled() } catch {
                        cancelled.continuation.yield(request.url)
                        throw error
                    }
                    throw ImageError.cancelled
                })
        }
        let sources = (0..<20).compactMap { Source(argument: "http://example.com/\($0).png") }
        let gallery = Gallery(
            sources, manager: manager, renderer: TerminalStyle.blocks.renderer(environment: [:], identifier: 0),
            layout: GalleryLayout(TerminalSize(columns: 40, rows: 13), rowHeight: 6))
        // Two are visible, and two are prefetched.
        var (starts, cancellations) = (started.stream.makeAsyncIterator(), cancelled.stream.makeAsyncIterator())
        for _ in 0..<4 { _ = await starts.next() }
        #expect(gallery.cellCount == 2 && gallery.loadingCount == 2)
        gallery.handle(.last)
        var urls: Set<URL?> = []
        for _ in 0..<4 { urls.insert(await cancellations.next()) }
        #expect(urls == Set(sources.prefix(4).map(\.url)))
        #expect(gallery.cellCount == 2 && gallery.loadingCount == 2)
        gallery.end()
    }
}

struct KeyParserTests {
    @Test(arguments: [
        ("jk", [Key.down, .up]), ("\u{1B}[A\u{1B}OB", [.up, .down]), ("\u{1B}[5~q", [.pageUp, .quit]),
        ("\u{1B}[1;5A\u{1B}xq", [.quit]), ("\u{1B}[99999999999j", [.down]), ("\u{1B}\u{1B}[Bz", [.down]),
    ])
    func sequencesAreParsedByteByByte(text: String, keys: [Key]) {
        var parser = KeyParser()
        #expect(text.utf8.compactMap { parser.key($0) } == keys)
    }
}
