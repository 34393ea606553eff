public import DarkroomCore
import DarkroomTestKit

/// A transformer that removes the columns from the first white one of the first frame on.
public struct CutAtWhite: ImageTransformer {
    private var width: Int?

    /// Creates a transformer that has seen no frame.
    public init() {}

    private init(width: Int?) { self.width = width }

    /// The name.
    public var identifier: String { "CutAtWhite()" }

    /// Returns a transformer for the first white column of `firstFrame`.
    public func resolved(forFirstFrame firstFrame: Bitmap, request: TransformRequest) -> any ImageTransformer {
        CutAtWhite(width: (0..<firstFrame.size.width).first { firstFrame.color(x: $0, y: 0) == .white })
    }

    /// Returns the columns before the first white one.
    public func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        Bitmap(width ?? bitmap.size.width, bitmap.size.height) { x, y in bitmap.color(x: x, y: y) ?? .white }
    }
}
