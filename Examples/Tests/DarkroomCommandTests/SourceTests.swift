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
