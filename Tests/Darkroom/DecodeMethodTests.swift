import Darkroom
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// The method of a decode in the report of a load.
@Suite(.bounded)
struct DecodeMethodTests {
    private func detail(of data: Data, size: Double) async throws -> String? {
        let manager = try ImageManager {
            $0.install(StandardPlugins())
            $0.install(FakeLoader(data))
        }
        let context = ImageContext { $0.thumbnail = .fit(size, size) }
        let result = try await manager.load(URL(string: "http://example.com/picture")!, context: context)
        #expect(result.image.metadata.notes.isEmpty)
        return result.report.stages.first { $0.step == .decode }?.detail
    }

    @Test func reportNamesTheMethodOfTheCoder() async throws {
        let picture = Bitmap.testCard(160, 120)
        let image = Image(info: ImageInfo(format: .jpeg, storedSize: picture.size), bitmap: picture)
        let data = try CoderRegistry([JPEGCoder()]).encode(image, as: .jpeg)
        let (small, large) = try await (detail(of: data, size: 40), detail(of: data, size: 120))
        #expect(small == "libjpeg at 4/8" && large == "libjpeg at 8/8")
    }

    @Test func coderWithOneMethodReportsNone() async throws {
        #expect(try await detail(of: Fixture("png-rgb-8.png").data, size: 2) == nil)
    }
}
