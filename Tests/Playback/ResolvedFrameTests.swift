import DarkroomCore
import DarkroomTestKit
import TestSupport
import Testing

@testable import DarkroomPlayback

/// A transformer that removes the columns from the first white one of the first frame on.
private struct CutAtWhite: ImageTransformer {
    var width: Int?
    var identifier: String { "CutAtWhite()" }

    func resolved(forFirstFrame firstFrame: Bitmap, request: TransformRequest) -> any ImageTransformer {
        CutAtWhite(width: (0..<firstFrame.size.width).first { firstFrame.color(x: $0, y: 0) == .white })
    }

    func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        Bitmap(width ?? bitmap.size.width, bitmap.size.height) { x, y in bitmap.color(x: x, y: y) ?? .white }
    }
}

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
