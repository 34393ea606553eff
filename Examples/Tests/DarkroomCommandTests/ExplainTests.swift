import DarkroomTestKit
import Foundation
import PictureServer
import Testing

struct ExplainTests {
    @Test func explainFollowsTheImageThroughTheCaches() async throws {
        try await withTemporaryDirectory { cache in
            try await PictureServer(folder: Fixture.folder).run { server in
                let arguments = ["\(server)/jpeg-420.jpg", "--thumbnail", "9x9", "--cache", cache.path]
                let cold = try await darkroom(["explain"] + arguments)
                #expect(cold.status == 0)
                #expect(cold.lines.last?.hasSuffix("network") == true)
                _ = try await darkroom(["load"] + arguments)
                let warm = try #require(try await darkroom(["explain", "--json"] + arguments).objects.first)
                #expect(warm["origin"] as? String == "disk")
                #expect((warm["decision"] as? String)?.hasPrefix("fresh") == true)
                #expect((warm["steps"] as? [[String: String]])?.map { $0["location"] } == ["memory", "result on disk"])
            }
        }
    }

    @Test func explainReportsWhyAnImageIsUnavailable() async throws {
        try await withTemporaryDirectory { cache in
            let run = try await darkroom(
                "explain", "http://localhost:1/a.png", "--from-cache-only", "--json", "--cache", cache.path)
            let error = try #require(run.objects.first?["error"] as? [String: String])
            #expect(run.status == 0 && error["kind"] == "cacheOnlyMiss")
        }
    }

    @Test func jsonContainsTheStagesOfALoad() async throws {
        let run = try await darkroom("load", Fixture.path("jpeg-420.jpg"), "--no-cache", "--json")
        let object = try #require(try run.objects.first)
        #expect(object["decision"] as? String == "not in a cache")
        let steps = (object["stages"] as? [[String: Any]])?.compactMap { $0["step"] as? String }
        #expect(steps?.contains("decode") == true)
    }
}
