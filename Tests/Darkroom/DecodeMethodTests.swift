import Darkroom
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// The method of a decode in the report of a load.
@Suite(.timeLimit(.minutes(10)))
struct DecodeMethodTests {
    private func detail(of name: String, size: Double) async throws -> String? {
        let manager = try ImageManager {
            $0.install(StandardPlugins())
            $0.install(FakeLoader(Fixture(name).data))
        }
        let context = ImageContext { $0.thumbnail = .fit(size, size) }
        let result = try await manager.load(URL(string: "http://example.com/\(name)")!, context: context)
        #expect(result.image.metadata.notes.isEmpty)
        return result.report.stages.first { $0.step == .decode }?.detail
    }

    @Test func reportNamesTheMethodOfTheCoder() async throws {
        let (small, large) = try await (detail(of: "jpeg-420.jpg", size: 1), detail(of: "jpeg-420.jpg", size: 30))
        #expect(small == "libjpeg at 1/8" && large == "libjpeg at 8/8")
    }

    @Test func coderWithOneMethodReportsNone() async throws {
        #expect(try await detail(of: "png-rgb-8.png", size: 2) == nil)
    }
}
