public import DarkroomCore
import DarkroomPlatform

/// Rotates an image about its centre, by any angle.
public struct Rotation: ImageTransformer {
    private let radians: Double
    private let fitsSize: Bool

    /// Creates a rotation by an angle, counterclockwise as displayed.
    ///
    /// If `fitsSize`, the result is enlarged to fit the rotated image; otherwise it keeps the original size, and the
    /// corners are clipped. Uncovered areas are transparent.
    public init(radians: Double, fitsSize: Bool = true) {
        self.radians = radians.roundedToSixDecimals
        self.fitsSize = fitsSize
    }

    /// The angle and whether the size fits, such as `Rotation(0.785398,1)`.
    public var identifier: String { "Rotation(\(radians.sixDecimals),\(fitsSize ? 1 : 0))" }

    /// Returns the size of the rotated image, or the original size unless `fitsSize`.
    public func largestSize(for size: PixelSize) -> PixelSize {
        guard radians.isFinite else { return size }
        let turn = turn
        guard turn.isSlanted else { return turn.quarters.isMultiple(of: 2) ? size : size.transposed }
        return canvas(for: size, sine: sin(turn.angle).magnitude, cosine: cos(turn.angle).magnitude)
    }

    /// Returns the rotated image. Right angles only move pixels; all others interpolate along cubics through the four
    /// pixels nearest to each point, and smooth the edges.
    public func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        guard radians.isFinite else {
            throw radians.unsupported("the angle to rotate by", allowed: "a finite number of radians")
        }
        try request.checkCancellation()
        let turn = turn
        guard turn.isSlanted else { return try turned(bitmap, quarters: turn.quarters, for: request) }
        let (sine, cosine) = (sin(turn.angle), cos(turn.angle))
        let size = canvas(for: bitmap.size, sine: sine.magnitude, cosine: cosine.magnitude)
        return try unsafe Bitmap.drawn(size, hasAlpha: true, for: request) { target in
            unsafe try bitmap.withWords { words in
                let sampler = unsafe CubicSampler(words, size: bitmap.size, hasAlpha: bitmap.hasAlpha)
                for y in 0..<size.height {
                    try request.checkCancellation()
                    let (dx, dy) = (0.5 - Double(size.width) / 2, Double(y) + 0.5 - Double(size.height) / 2)
                    let row = unsafe UnsafeMutableBufferPointer(
                        rebasing: target[(y * size.width)...].prefix(size.width))
                    unsafe sampler.fill(
                        row, x: dx * cosine - dy * sine + Double(bitmap.size.width) / 2,
                        y: dx * sine + dy * cosine + Double(bitmap.size.height) / 2, step: (cosine, sine))
                }
            }
        }
    }

    /// The tolerance within which an angle counts as a right angle: identifiers do not distinguish smaller differences.
    private static var minimumAngle: Double { 1e-6 }

    /// The angle within a full turn, the right angles nearest to it, and whether it is none of them.
    private var turn: (angle: Double, quarters: Int, isSlanted: Bool) {
        let angle = remainder(radians, 2 * .pi)
        let quarters = (angle / (.pi / 2)).rounded()
        return (angle, Int(quarters), (angle - quarters * .pi / 2).magnitude > Self.minimumAngle)
    }

    private func turned(_ bitmap: Bitmap, quarters: Int, for request: TransformRequest) throws -> Bitmap {
        let turned =
            switch quarters & 3 {
            case 0: bitmap
            case 1: bitmap.upright(from: .left)
            case 2: bitmap.upright(from: .down)
            default: bitmap.upright(from: .right)
            }
        return fitsSize ? turned : try turned.window(turned.window(of: bitmap.size, at: .center), for: request)
    }

    private func canvas(for size: PixelSize, sine: Double, cosine: Double) -> PixelSize {
        guard fitsSize else { return size }
        let (width, height) = (Double(size.width), Double(size.height))
        return PixelSize(
            Int((width * cosine + height * sine - 1e-6).rounded(.up)),
            Int((width * sine + height * cosine - 1e-6).rounded(.up)))
    }
}

extension ImageTransformer where Self == Rotation {
    /// Rotates counterclockwise by `radians`; the size fits the rotated image, or stays unchanged.
    public static func rotate(radians: Double, fitsSize: Bool = true) -> Rotation {
        Rotation(radians: radians, fitsSize: fitsSize)
    }
}
