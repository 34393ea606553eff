import Darkroom
import Foundation
import InstalledCoders
import PictureServer
import Testing

struct InfoTests {
    @Test func headersDescribeTheUprightImage() async throws {
        let run = try await darkroom("info", Fixture.path("jpeg-orientation-6.jpg"), "--json")
        let object = try #require(try run.objects.first)
        #expect(object["width"] as? Int == 21)
        #expect(object["height"] as? Int == 35)
        #expect(object["storedWidth"] as? Int == 35)
        #expect(object["storedHeight"] as? Int == 21)
        #expect(object["orientation"] as? Int == 6)
        #expect(
            Set(object.keys) == [
                "source", "format", "width", "height", "storedWidth", "storedHeight", "orientation", "frames",
                "loopCount", "durations", "totalDuration", "hasAlpha", "bitsPerChannel", "colorModel", "iccBytes",
                "gamma", "primaries", "exifBytes", "dateTime", "hasLocation", "bytes", "error",
            ])
    }

    @Test func infoReportsTheFramesOfAnimations() async throws {
        let object = try #require(
            try await darkroom("info", Fixture.path("gif-animated.gif"), "--json").objects.first)
        #expect(object["frames"] as? Int == 3)
        #expect(object["durations"] as? [Double] == [0.1, 0.2, 0.3])
        #expect(object["totalDuration"] as? Double == 0.6)
    }

    @Test func sourcesMayBeURLsAndStandardInput() async throws {
        try await PictureServer(folder: Fixture.folder).run { server in
            let input = URL(filePath: Fixture.path("png-icc.png"))
            let run = try await darkroom("info", "\(server)/webp-lossy.webp", "-", "--json", input: input)
            #expect(try run.objects.map { $0["format"] as? String } == ["webp", "png"])
        }
    }

    @Test func invalidFileIsAnError() async throws {
        let run = try await darkroom("info", Fixture.path("README.md"), "--json")
        let error = try #require(try run.objects.first?["error"] as? [String: Any])
        #expect(run.status == 1)
        #expect(error["kind"] as? String == "noCoder")
    }

    @Test(.bounded) func anyNumberOfJobsIsAccepted() async throws {
        let run = try await darkroom("info", Fixture.path("png-3x5.png"), "--jobs", "\(Int.max)")
        #expect(run.status == 0)
        #expect(run.lines.count == 1)
    }

    @Test func formatsListsThoseOfInstalledCoders() async throws {
        let run = try await darkroom("formats", "--json")
        let formats = ["png", "jpeg", "gif", "webp"] + InstalledCoders.formats.map(\.description)
        #expect(try run.objects.map { $0["format"] as? String } == formats)
    }

    @Test func versionIsPrintedAlone() async throws {
        let run = try await darkroom("--version")
        #expect(run.status == 0)
        #expect(run.lines == ["0.1.0"])
    }
}
