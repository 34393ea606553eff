import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// The descriptions that an app prints.
@Suite(.bounded)
struct DescriptionTests {
    private enum TokenKey: ImageContextKey {
        static var defaultValue: String? { nil }
        static func effect(of value: String?) -> ContextEffect { .nothing }
    }

    @Test func contextListsItsValuesButNoSecrets() {
        let context = ImageContext {
            $0[TokenKey.self] = "hidden"
            $0.thumbnail = .fit(180, 120)
            $0.quality = 0.5
        }
        #expect("\(context)" == "ImageContext(\(Self.qualityFragment), \(Thumbnail.fit(180, 120)), Token)")
        #expect("\(ImageContext())" == "ImageContext()")
    }

    /// The fragment by which the quality is part of cache keys.
    private static var qualityFragment: String {
        let text = "\(ImageContext { $0.quality = 0.5 })"
        return String(text.dropFirst("ImageContext(".count).dropLast())
    }

    @Test func imageTellsSizeFormatAndDamage() throws {
        var info = ImageInfo(format: .png, storedSize: PixelSize(40, 30))
        #expect("\(Image(info: info, bitmap: .testCard(40, 30)))" == "png, 40×30")
        info.orientation = .right
        var image = Image(info: info, bitmap: .testCard(3, 4))
        image.metadata.isIncomplete = true
        image.metadata.notes = ["the file is truncated", "a chunk is damaged"]
        #expect("\(image)" == "png, 3×4 of 30×40, incomplete: the file is truncated; a chunk is damaged")
        let frames = (0..<2).map { Frame(.testCard(4, 4, number: $0), duration: .seconds(1)) }
        #expect(try "\(#require(Image(frames: frames, format: .gif)))" == "gif, 4×4, 2 frames")
    }

    @Test func reportTellsDecisionStagesAndBytes() async throws {
        var report = LoadReport(decision: .revalidated)
        #expect("\(report)" == "revalidated: 304")
        (report.receivedByteCount, report.retryCount, report.isJoined) = (58_432, 1, true)
        report.limits = ["the image was scaled down"]
        #expect(
            "\(report)"
                == "revalidated: 304; 58432 bytes received; 1 retry; joined another load; the image was scaled down")
        let loaded = try await Darkbox().load().report
        let parts = "\(loaded)".split(separator: "; ")
        #expect(parts.first == "not in a cache" && parts.last == "\(Darkbox.file.count) bytes received")
        for stage in loaded.stages { #expect(parts[1].contains("\(stage.step.rawValue) ")) }
    }

    @Test(arguments: [
        (Thumbnail.fit(width: 10), PixelSize(10, 40)), (.fit(height: 10), PixelSize(3, 10)),
        (.fit(width: 500), PixelSize(100, 400)),
    ])
    func oneSideMayBeUnbounded(thumbnail: Thumbnail, size: PixelSize) {
        #expect(thumbnail.size(for: PixelSize(100, 400)) == size)
    }
}
