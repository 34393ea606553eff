import DarkroomCore
import Synchronization

/// What it makes of a frame depends on the one before.
final class RememberingFrames: NearlySoundTransformer {
    private let last = Atomic<UInt8>(0)

    func transform(_ bitmap: Bitmap, _ request: TransformRequest) throws -> Bitmap {
        let first = bitmap.withPixels { $0[$0.count / 2] }
        return try inverted(bitmap, request, by: last.exchange(first, ordering: .relaxed))
    }
}
