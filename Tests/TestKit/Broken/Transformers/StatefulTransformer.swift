import DarkroomCore
import Synchronization

/// A transformer that returns results that depend on the frame before.
final class StatefulTransformer: InvertingTransformer {
    private let last = Atomic<UInt8>(0)

    func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        let first = bitmap.withPixels { $0[$0.count / 2] }
        return try inverted(bitmap, request, by: last.exchange(first, ordering: .relaxed))
    }
}
