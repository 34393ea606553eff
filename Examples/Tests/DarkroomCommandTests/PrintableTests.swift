import Console
import Darkroom
import DarkroomTestKit
import Foundation
import Testing

@testable import DarkroomCommand
@testable import Gallery

/// Untrusted text cannot control the terminal.
@Suite(.bounded)
struct PrintableTests {
    private static let samples = [
        "https://example.com/a.png", "no loader for x URLs is installed", "{\"a\":1}", "photo é.png",
    ]

    @Test(arguments: [
        ("a\u{1B}[2Jb", "a\\u{1b}[2Jb"), ("\n\r\t\0\u{7F}", "\\n\\r\\t\\u{0}\\u{7f}"), ("\r\n", "\\r\\n"),
        ("\u{9B}31m", "\\u{9b}31m"), ("gpj\u{202E}.exe", "gpj\\u{202e}.exe"),
        ("\u{61C}\u{200E}\u{200F}", "\\u{61c}\\u{200e}\\u{200f}"), ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
        ("\u{2066}\u{2069}", "\\u{2066}\\u{2069}"), ("\u{1B}\u{301}", "\\u{1b}\u{301}"),
        ("é e\u{301} 👨‍👩‍👧 日本 \\", "é e\u{301} 👨‍👩‍👧 日本 \\"),
    ])
    func controlsAreEscaped(text: String, printable: String) {
        #expect(Array(text.printable.utf8) == Array(printable.utf8))
    }

    @Test func printableTextIsUnchanged() {
        var mutator = TextMutator(Self.samples, seed: 81)
        for _ in 0..<4000 {
            let text = mutator.next()
            #expect(text.printable.isVisible)
            #expect(text.printable.printable == text.printable)
        }
        let long = TextMutator.longText(repeating: "\u{1B}\u{301}")
        #expect(long.printable.isVisible)
    }

    @Test func jsonIsPrintableAndRoundTrips() throws {
        var mutator = TextMutator(Self.samples, seed: 82)
        for _ in 0..<1000 {
            let (key, value) = (mutator.next(), mutator.next())
            let line = JSONLine([key: value, "list": [value]]).json
            #expect(line.isVisible, "\(line.debugDescription)")
            let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let list = try #require(object["list"] as? [String])
            #expect(list[0].withoutMarks.elementsEqual(value.withoutMarks), "\(value.debugDescription)")
        }
    }

    @Test func fileNamesAreOneVisibleComponent() {
        var mutator = TextMutator(["photo.tar.gz", "https://example.com/a/photo%2Fb.png?x", "../.a", "/a/b"], seed: 83)
        for _ in 0..<4000 {
            let text = mutator.next()
            for stem in [FileStem(text), FileStem(ofFileNamed: text)]
                + [Source(argument: text)?.stem].compactMap(\.self)
            {
                #expect(stem.text.isSafeStem, "\(stem.text.debugDescription)")
            }
        }
        for unit in [".", "/", "\u{301}", "🖼", "\u{202E}"] {
            #expect(FileStem(TextMutator.longText(repeating: unit)).text.isSafeStem)
        }
    }

    @Test(arguments: [
        ("a/b.png", "b"), ("https://example.com/", "image"), ("https://example.com/x/..", "image"), ("-", "stdin"),
        ("data:,a", "image"), (".png", "png"), ("a.tar.gz", "a.tar"),
        ("https://example.com/a%0A%1B%2F..%2Fb.png", "a..b"),
        ("https://example.com/%E2%80%AEgpj.exe", "gpj"), ("a\\b.png", "ab"),
        ("https://example.com/%2e%2e%2f.png", "image"),
    ])
    func stemIsTheNameWithoutItsExtension(argument: String, stem: String) throws {
        #expect(try #require(Source(argument: argument)).stem.text == stem)
    }

    @Test func sourcesHaveUniqueNames() throws {
        let names = ["a", "a", "A", "a-2", "\u{E9}", "e\u{301}", "a-2", "\u{202E}a", "\u{212A}", "k"]
        let sources = try names.map { try #require(Source(argument: "\($0).png")) }
        let folder = OutputFolder("x", sources: sources)
        let paths = sources.indices.map { folder.path(for: $0, as: .png) }
        #expect(Set(paths.map { $0.lowercased() }).count == paths.count)
        #expect(Array(paths.prefix(4)) == ["x/a.png", "x/a-2.png", "x/A-3.png", "x/a-2-2.png"])
        #expect(paths.allSatisfy { $0.utf8.count <= 255 })
    }

    @Test func manySourcesWithOneNameTakeLinearTime() throws {
        let source = try #require(Source(argument: "a.png"))
        let folder = OutputFolder("x", sources: Array(repeating: source, count: 20_000))
        #expect(folder.path(for: 19_999, as: .png) == "x/a-20000.png")
    }

    @Test func galleryLinesFillTheirColumns() {
        var mutator = TextMutator(Self.samples, seed: 84)
        for _ in 0..<2000 {
            let line = mutator.next().fitted(to: 20)
            #expect(line.isVisible)
            #expect(line.unicodeScalars.count <= 20 * 5 + 4)
        }
        #expect("日本\u{2028}e\u{301}".fitted(to: 7) == "日本e\u{301}  ")
    }

    @Test func errorsListsAndKeysArePrintable() async throws {
        let hostile = "https://example.com:99999/\u{1B}[2J\u{202E}\u{9B}x"
        let key = try await darkroom("key", "photo\u{1B}[2J\u{202E}.png")
        let failed = try await darkroom("load", "--no-cache", hostile, "no\u{1B}]0;x\u{7}\nfile.png")
        let wrong = try await darkroom("load", "a.png", "--transform", "\u{1B}[2J", "--\u{9B}x")
        let json = try await darkroom("info", "--json", "no\u{7F}\u{2028}\u{85}file.png")
        for run in [key, failed, wrong, json] {
            let text = run.errors + String(decoding: run.output, as: UTF8.self)
            let others = text.unicodeScalars.filter { $0 != "\n" && $0.isUnprintable }
            #expect(others.isEmpty, "\(text.debugDescription)")
        }
        #expect(failed.errors.contains("no\\u{1b}]0;x\\u{7}\\nfile.png"))
        #expect(String(decoding: json.output, as: UTF8.self).contains("no\\u007f\\u2028\\u0085file.png"))
    }

    @Test func framesAndImagesHaveSafeNames() async throws {
        try await withTemporaryDirectory { folder in
            let name = "a\u{1B}\n\u{202E}\u{301}b.png"
            let source = folder.appending(path: name)
            try FileManager.default.copyItem(atPath: Fixture.path("png-1x1.png"), toPath: source.path)
            let output = folder.appending(path: "out")
            for command in ["load", "frames"] {
                let run = try await darkroom(command, source.path, "--no-cache", "--output", output.path + "/")
                #expect(run.status == 0, "\(run.errors)")
            }
            let names = try output.names
            #expect(names.count == 2 && names.allSatisfy { $0.isSafeStem }, "\(names)")
        }
    }
}

extension String {
    /// The scalars without byte order marks: Foundation drops some of them when it reads JSON.
    fileprivate var withoutMarks: [Unicode.Scalar] { unicodeScalars.filter { $0 != "\u{FEFF}" } }

    /// Whether a terminal shows all of it, and acts on none of it.
    fileprivate var isVisible: Bool { !unicodeScalars.contains(where: \.isUnprintable) }

    /// Whether it is a single visible path component that a file system accepts.
    fileprivate var isSafeStem: Bool {
        !isEmpty && utf8.first != UInt8(ascii: ".") && utf8.count <= 200
            && isVisible && !utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    }
}
