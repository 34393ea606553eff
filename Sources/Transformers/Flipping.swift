public import DarkroomCore

/// Mirrors an image.
public struct Flipping: ImageTransformer {
    private let isHorizontal, isVertical: Bool

    /// Creates a transformer that mirrors left to right, top to bottom, or both, which equals a rotation by 180°.
    public init(horizontal: Bool, vertical: Bool) {
        isHorizontal = horizontal
        isVertical = vertical
    }

    /// The directions, such as `Flipping(1,0)`.
    public var identifier: String { "Flipping(\(isHorizontal ? 1 : 0),\(isVertical ? 1 : 0))" }

    /// Returns the mirrored image. Only positions change, not pixel values.
    public func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        try request.checkCancellation()
        return switch (isHorizontal, isVertical) {
        case (false, false): bitmap
        case (true, false): bitmap.upright(from: .upMirrored)
        case (false, true): bitmap.upright(from: .downMirrored)
        case (true, true): bitmap.upright(from: .down)
        }
    }
}

extension ImageTransformer where Self == Flipping {
    /// Mirrors left to right, top to bottom, or both.
    public static func flip(horizontal: Bool = false, vertical: Bool = false) -> Flipping {
        Flipping(horizontal: horizontal, vertical: vertical)
    }
}
