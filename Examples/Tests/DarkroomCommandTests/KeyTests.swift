import DarkroomTestKit
import Foundation
import PictureServer
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

    @Test(arguments: [
        (["--drop-query", "token"], "?id=1"), (["--keep-query", "id"], "?id=1"), (["--sort-query"], "?id=1&token=x"),
        (["--drop-signatures"], "?token=x&id=1"),
    ])
    func keyFiltersApplyToLoads(options: [String], query: String) async throws {
        try await withTemporaryDirectory { folder in
            try await PictureServer(folder: Fixture.folder).run { server in
                let url = "\(server)/png-3x5.png?token=x&id=1"
                let arguments = options + ["--thumbnail", "2x2", "--cache", folder.appending(path: "cache").path]
                let list = folder.appending(path: "list")
                try Data("\(url)\n".utf8).write(to: list)
                let prefetch = try await darkroom(["prefetch", list.path, "--json"] + arguments)
                #expect(try prefetch.objects.map { $0["outcome"] as? String } == ["loaded"])
                let key = try await darkroom(["key", url, "--thumbnail", "2x2"] + options).lines.first
                for command in ["load", "explain"] {
                    let object = try #require(try await darkroom([command, url, "--json"] + arguments).objects.first)
                    #expect(object["key"] as? String == key)
                    #expect(object["origin"] as? String == "disk")
                }
                #expect(key?.hasSuffix(query) == true)
                let remove = try await darkroom(
                    ["cache", "remove", url, "--json", "--cache", folder.appending(path: "cache").path] + options)
                #expect(try remove.objects.first?["entries"] as? Int == 0)
            }
        }
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
