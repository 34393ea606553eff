import Foundation
import Testing

struct KeyTests {
    private static let page = "http://www.httpwatch.com/httpgallery/authentication/authenticatedimage"

    @Test(arguments: [
        (
            ["\(page)/default.aspx?0.35786508303135633", "--thumbnail", "180x120"],
            "\(page)/default-Thumbnail(%7B180.000000,120.000000%7D,1).aspx?0.35786508303135633"
        ),
        (
            ["http://foo/image", "--thumbnail", "100x100", "--transform", "flip:h"],
            "http://foo/image-Thumbnail({100.000000,100.000000},1)-Flipping(1,0)"
        ),
        (
            ["file:///pics/image.png", "--thumbnail", "180x120", "--stretch"],
            "file:///pics/image-Thumbnail({180.000000,120.000000},0).png"
        ),
        (["http://foo/a.gif", "--first-frame", "--keep-profile"], "http://foo/a-FirstFrame(1)-KeepProfile(1).gif"),
        (["http://foo/c%2Bd.jpg", "--transform", "flip:v"], "http://foo/c%2Bd-Flipping(0,1).jpg"),
        (["http://foo/a.png?id=1&token=x", "--drop-query", "token"], "http://foo/a.png?id=1"),
        (["http://foo/a.png?id=1&token=x", "--keep-query", "id"], "http://foo/a.png?id=1"),
        (["http://foo/a.png?b=1&a=2&sig=3&sv=4", "--drop-signatures", "--sort-query"], "http://foo/a.png?a=2&b=1"),
        (["HTTP://S1.Foo:8080/A", "--map-host", "s1.foo=S.foo", "--lowercase-host"], "http://s.foo:8080/A"),
        (
            ["http://foo/a.png", "--transform", "FLIP:V+sharpen"],
            "http://foo/a-Flipping(0,1)-Sharpening(1.000000,1.000000,0).png"
        ),
    ])
    func keysMatchTheSpecification(arguments: [String], key: String) async throws {
        let run = try await darkroom(["key"] + arguments)
        #expect(run.status == 0)
        #expect(run.lines.first == key)
    }

    @Test func jsonHasThePartsOfAKey() async throws {
        let run = try await darkroom("key", "http://foo/a.png", "--transform", "flip:h", "--json")
        let object = try #require(try run.objects.first)
        #expect(object["source"] as? String == "http://foo/a.png")
        #expect(object["variant"] as? [String] == ["Flipping(1,0)"])
        #expect(object["fileName"] as? String == run.fileName)
        #expect(object.count == 4)
    }

    @Test func standardInputHasNoKey() async throws {
        #expect(try await darkroom("key", "-").status == 1)
    }
}

extension Run {
    /// The file name of a cache entry in the output.
    fileprivate var fileName: String? {
        lines.first?.firstMatch(of: /[0-9a-f]{32}\.png/).map { String($0.output) }
    }
}
