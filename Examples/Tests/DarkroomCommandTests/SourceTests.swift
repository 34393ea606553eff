import Console
import DarkroomTestKit
import Foundation
import Testing

/// Images as people name them in arguments and lists.
struct SourceTests {
    @Test(arguments: [
        ("http://bücher.example/b/../a.png", "http://xn--bcher-kva.example/a.png"),
        (" https://a.test/a.png\n", "https://a.test/a.png"), ("https://a.test/é", "https://a.test/%C3%A9"),
        ("data:image/png; base64,AA", "data:image/png;%20base64,AA"),
    ])
    func argumentIsAURL(_ argument: String, _ expected: String) {
        #expect(Source(argument: argument)?.url?.absoluteString == expected)
    }

    @Test(arguments: ["http://ﬁ.example/", "https://"]) func invalidURLIsNoPath(_ argument: String) {
        #expect(Source(argument: argument)?.url?.isFileURL != true)
    }

    @Test func leadingTildeIsPartOfAName() async throws {
        try await withTemporaryDirectory { folder in
            let command = Process.built("darkroom").path
            let run = try await bash(
                """
                cd '\(folder.path)' && mkdir '~' home && cp '\(Fixture.path("png-3x5.png"))' '~/a.png' &&
                cp '\(Fixture.path("png-rgb-8.png"))' home/a.png && export HOME="$PWD/home" &&
                '\(command)' info '~/a.png' --json && '\(command)' load --no-cache '~' --json
                """)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try run.objects.map { $0["width"] as? Int } == [3, 3])
        }
    }

    @Test func markAtTheStartOfAListIsSkipped() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "list")
            try Data("\u{FEFF}# no\r\n\u{FEFF}https://a.test/b\r\na.png".utf8).write(to: file)
            let list = try SourceList(path: file.path)
            var texts: [String] = []
            while let source = await list.next() { texts.append(source.text) }
            #expect(texts == ["https://a.test/b", "a.png"])
        }
    }
}
