import DarkroomTestKit
import FoundationEssentials
@testable import PhotoWall
import Testing

struct PictureSourcesTests {
    @Test(arguments: [
        ("https://example.com/a.jpg", ["https://example.com/a.jpg"]),
        (
            "https://example.com/a.jpg\r\nhttp://example.com/b.png\r\n",
            ["https://example.com/a.jpg", "http://example.com/b.png"]
        ),
        ("# copied\nfile:///tmp/a%20b.png\n\n  \n", ["file:///tmp/a%20b.png"]),
        (" \thttps://example.com/a.jpg \t", ["https://example.com/a.jpg"]),
        ("HTTPS://example.com/a.jpg", ["HTTPS://example.com/a.jpg"]),
        ("https://example.com/ä ö.jpg", ["https://example.com/%C3%A4%20%C3%B6.jpg"]),
        ("data:image/gif;base64,R0lGODlh", ["data:image/gif;base64,R0lGODlh"]),
        ("/tmp/a.png\nnot a picture\nrelative.png", ["file:///tmp/a.png"]),
        ("javascript:alert(1)\nftp://example.com/a.png\nmailto:a@example.com\nhttps", []),
        ("https://example.com/\u{7F}.jpg\nhttps://example.com/\u{0}.jpg", []),
        ("", []), ("\n\r\n", []), ("#", []), (" ", []),
    ])
    func linesThatLeadToPicturesAreTheirURLs(text: String, urls: [String]) {
        #expect(PictureSources.urls(inText: Array(text.utf8)).map(\.absoluteString) == urls)
    }

    @Test func listOfFilesHasRelativePaths() {
        let urls = PictureSources.urls(inText: Array("a.png\nhttps://example.com/b.png".utf8), hasPaths: true)
        #expect(urls.map(\.lastPathComponent) == ["a.png", "b.png"])
        #expect(urls.map(\.isFileURL) == [true, false])
    }

    @Test(arguments: 0..<200)
    func anyBytesAreOnlyURLsThatCanBeLoaded(seed: Int) {
        var generator = SeededGenerator(seed: seed)
        let parts = ["https://", "file://", "data:", "/", "\n", "\r", "#", "%", "%00", "..", "[", "@", "\u{FEFF}", "é"]
            .map { Array($0.utf8) }
        let bytes = (0..<200).flatMap { _ in
            Bool.random(using: &generator)
                ? parts.randomElement(using: &generator)! : [UInt8.random(in: 0...255, using: &generator)]
        }
        for url in PictureSources.urls(inText: bytes) {
            #expect(["http", "https", "file", "data"].contains(url.scheme?.lowercased()))
        }
    }

    @Test func moreThanAWallTakesIsLeftOut() {
        let lines = Array(repeating: Array("/a\n".utf8), count: PictureSources.countLimit + 10).joined()
        #expect(PictureSources.urls(inText: Array(lines)).count == PictureSources.countLimit)
        let long = Array("data:,".utf8) + Array(repeating: UInt8(ascii: "a"), count: PictureSources.byteLimit)
        #expect(PictureSources.urls(inText: long).isEmpty)
    }

    @Test func folderIsItsVisibleFilesByName() async throws {
        let folder = try TemporaryDirectory()
        for name in ["b.png", "a b.png", ".hidden", "c.txt"] {
            try Data().write(to: folder.url.appending(path: name))
        }
        let page = try #require(URL(string: "https://example.com/a.jpg"))
        let missing = folder.url.appending(path: "missing.png")
        let urls = await PictureSources.expanded([page, folder.url, missing])
        #expect(urls.map(\.lastPathComponent) == ["a.jpg", "a b.png", "b.png", "c.txt", "missing.png"])
    }
}
