public import DarkroomCore

/// Sharpens an image with an unsharp mask: each pixel moves away from the blurred image.
///
/// The mask is a true Gaussian on premultiplied colours; alpha is unchanged.
public struct Sharpening: ImageTransformer {
    private let amount, radius: Double
    private let threshold: Int

    /// - Parameters:
    ///   - amount: The factor for the difference between a pixel and the blurred image, 0 to 100.
    ///   - radius: The standard deviation of the Gaussian in pixels, 0 to 32; the cost grows with it.
    ///   - threshold: The largest difference in levels that is left unchanged, 0 to 255, so that noise is not
    ///     amplified.
    public init(amount: Double = 1, radius: Double = 1, threshold: Int = 0) {
        self.amount = amount.roundedToSixDecimals
        self.radius = radius.roundedToSixDecimals
        self.threshold = threshold
    }

    /// The three parameters, such as `Sharpening(1.000000,1.000000,0)`.
    public var identifier: String { "Sharpening(\(amount.sixDecimals),\(radius.sixDecimals),\(threshold))" }

    /// Returns 20 bytes for each pixel: up to 16 for rows of the mask, and 4 for the result.
    public func workingByteCount(for size: PixelSize) -> Int { (size.byteCount ?? .max).multiplied(by: 5) }

    /// Returns the sharpened image; unchanged for amount 0 or radius 0.
    public func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        try (0...100).require(amount, name: "the sharpening's amount")
        try (0...32).require(radius, name: "the sharpening's radius")
        try (0...255).require(Double(threshold), name: "the sharpening's threshold")
        guard amount > 0, radius > 0 else { return bitmap }
        var mask = try GaussianRows(bitmap, radius: radius, limits: request.context.limits)
        return try unsafe bitmap.mapRows(hasAlpha: bitmap.hasAlpha, for: request) { from, to in
            unsafe mask.withNextRow { mask in unsafe sharpen(from, by: mask, to: to) }
        }
    }

    private func sharpen(
        _ from: UnsafeBufferPointer<UInt32>, by mask: UnsafeBufferPointer<SIMD4<Float>>,
        to: UnsafeMutableBufferPointer<UInt32>
    ) {
        let (amount, threshold) = (Float(amount), Float(threshold))
        for x in from.indices {
            let word = unsafe UInt32(littleEndian: from[x])
            let pixel = SIMD4(Float(word & 255), Float(word >> 8 & 255), Float(word >> 16 & 255), 0)
            let below = unsafe mask[x]
            // A pixel that is not fully transparent contributes to the mask.
            let difference = pixel - below * (255 / max(below.w, 0.001))
            let isSmall = (difference .<= threshold) .& (difference .>= -threshold)
            var sharp = pixel + difference * amount
            sharp.replace(with: pixel, where: isSmall)
            sharp = sharp.replacing(with: 0, where: sharp .< 0).replacing(with: 255, where: sharp .> 255)
            let bytes = unsafe unsafeBitCast(sharp + PixelBlock.magic, to: SIMD4<UInt32>.self) & 255
            unsafe to[x] = UInt32(littleEndian: bytes.x | bytes.y << 8 | bytes.z << 16 | word & 0xFF00_0000)
        }
    }
}

extension ImageTransformer where Self == Sharpening {
    /// Sharpens with an unsharp mask.
    public static func sharpen(amount: Double = 1, radius: Double = 1, threshold: Int = 0) -> Sharpening {
        Sharpening(amount: amount, radius: radius, threshold: threshold)
    }
}
