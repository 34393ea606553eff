import DarkroomCore
import DarkroomTestKit
import TestSupport
import Testing

@testable import DarkroomPlayback

@Suite(.bounded)
struct ResolvedFrameTests {
    @Test(arguments: [0, 1]) func firstFrameDecidesWhicheverFrameIsPlayedFirst(index: Int) async throws {
        // White from column 4 on in the first frame, and from column 2 on in the second.
        let animation = Animation(
            frames: [4, 2].map { start in
                Frame(
                    Bitmap(6, 1) { x, _ in x >= start ? .white : Color(red: 9, green: 9, blue: 9) },
                    duration: .seconds(1))
            })
        let pool = FramePool(
            animation, transformer: CutAtWhite(), executor: WorkExecutor(name: "frames", width: 1), budget: .init())
        #expect(try await pool.frame(at: index).bitmap.size.width == 4)
        #expect(try await pool.frame(at: 1 - index).bitmap.size.width == 4)
    }
}
