@testable import DarkroomCore
import DarkroomPlatform
import DarkroomTestKit
import TestSupport
import Testing

@Suite(.bounded)
struct SettledTransformerTests {
    /// Two frames of 6 columns, white from column 4 on in the first and from column 2 on in the second.
    private let animation = Animation(
        frames: [4, 2].map { start in
            Frame(
                Bitmap(6, 1) { x, _ in x >= start ? .white : Color(red: 9, green: 9, blue: 9) }, duration: .seconds(1))
        })

    @Test func firstFrameDecidesForAllFrames() async throws {
        let first = try #require(try animation.frames().first).bitmap
        let image = Image(info: ImageInfo(format: .gif, storedSize: first.size), bitmap: first, animation: animation)
        let loader = FakeLoader { _ in LoadResponse(.image(image)) }
        let manager = try ImageManager { $0.loaders = [loader] }
        let url = try #require(URL(string: "https://example.com/a.gif"))
        // The second transformer receives the result of the first.
        let context = ImageContext { $0.transformers = [CutAtWhite(), CutAtWhite()] }
        let frames = try await #require(manager.load(url, context: context).image.animation).frames()
        #expect(frames.map(\.bitmap.size.width) == [4, 4])
    }
}
