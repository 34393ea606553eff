public import DarkroomCore

/// Composites a watermark over an image.
public struct Watermark: ImageTransformer {
    private var overlay: Bitmap
    private var scale: Double?
    private let gravity: Gravity
    private let offsetX, offsetY, opacity: Double
    private let digest: String

    /// Creates a watermark of `overlay`, positioned by `gravity`. Parts outside the image are clipped.
    ///
    /// This initializer reads all pixels of `overlay` once, for the identifier.
    ///
    /// - Parameters:
    ///   - overlay: The image to composite over the other one.
    ///   - gravity: The edge, corner or centre that the offsets start from.
    ///   - offsetX: The distance inwards from the left or right edge, or to the right of the centre, rounded to whole
    ///     pixels.
    ///   - offsetY: The distance inwards from the top or bottom edge, or down from the centre, rounded to whole pixels.
    ///   - opacity: The opacity, 0 to 1.
    ///   - scale: The width as a fraction of the width of the other image; `nil` keeps the size of `overlay`.
    public init(
        _ overlay: Bitmap, gravity: Gravity = .bottomRight, offsetX: Double = 0, offsetY: Double = 0,
        opacity: Double = 1, scale: Double? = nil
    ) {
        self.overlay = overlay
        self.gravity = gravity
        self.offsetX = offsetX.roundedToSixDecimals
        self.offsetY = offsetY.roundedToSixDecimals
        self.opacity = opacity.roundedToSixDecimals
        self.scale = scale?.roundedToSixDecimals
        digest = overlay.digest
    }

    /// A digest of the overlay, then gravity, offsets, opacity and scale; without a scale `(null)`.
    public var identifier: String {
        let numbers = [offsetX, offsetY, opacity].map(\.sixDecimals).joined(separator: ",")
        return "Watermark(\(digest),\(gravity.rawValue),\(numbers),\(scale?.sixDecimals ?? "(null)"))"
    }

    /// Returns the larger of the image and the watermark scaled for it.
    public func largestSize(for size: PixelSize) -> PixelSize {
        guard scale != nil, let scaled = try? scaledSize(for: size), scaled.pixelCount > size.pixelCount else {
            return size
        }
        return scaled
    }

    /// Returns the watermark scaled for the first frame, so that it is resized once.
    public func resolved(forFirstFrame firstFrame: Bitmap, request: TransformRequest) throws -> any ImageTransformer {
        var resolved = self
        resolved.overlay = try resized(over: firstFrame, for: request)
        resolved.scale = nil
        return resolved
    }

    /// Returns the image with the watermark.
    ///
    /// - Throws: An error of kind `unsupported` if the opacity or the scale is out of range.
    public func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        guard opacity >= 0, opacity <= 1 else {
            throw opacity.unsupported("the opacity of the watermark", allowed: "0 to 1")
        }
        let (offsetX, offsetY) = (
            try offsetX.offset("the offset of the watermark"), try offsetY.offset("the offset of the watermark")
        )
        let overlay = try resized(over: bitmap, for: request)
        let x = Self.start(
            withRoom: bitmap.size.width - overlay.size.width, halvesBefore: gravity.leftHalves, offset: offsetX)
        let y = Self.start(
            withRoom: bitmap.size.height - overlay.size.height, halvesBefore: gravity.topHalves, offset: offsetY)
        let area = PixelRectangle(x: x, y: y, width: overlay.size.width, height: overlay.size.height).clamped(
            to: bitmap.size)
        guard opacity > 0, !area.isEmpty else { return bitmap }
        return try unsafe Bitmap.drawn(bitmap.size, hasAlpha: bitmap.hasAlpha, isCovered: true, for: request) {
            target in
            _ = unsafe bitmap.withWords { unsafe target.update(fromContentsOf: $0) }
            for row in area.y..<(area.y + area.height) {
                try request.checkCancellation()
                unsafe overlay.withWords { words in
                    let source = (row - y) * overlay.size.width - x
                    for column in area.x..<(area.x + area.width) {
                        let index = row * bitmap.size.width + column
                        unsafe target[index] = words[source + column].over(target[index], coverage: Float(opacity))
                    }
                }
            }
        }
    }

    private func resized(over bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        guard scale != nil else { return overlay }
        return try overlay.resized(
            to: scaledSize(for: bitmap.size), limits: request.context.limits,
            checkCancellation: request.checkCancellation)
    }

    /// The size of the watermark on an image of `size`.
    private func scaledSize(for size: PixelSize) throws -> PixelSize {
        guard let scale else { return overlay.size }
        guard scale > 0, scale <= 1000 else {
            throw scale.unsupported("the scale of the watermark", allowed: "above 0 and at most 1000")
        }
        let width = (Double(size.width) * scale).rounded()
        let height = (width * Double(overlay.size.height) / Double(overlay.size.width)).rounded()
        guard let size = PixelSize(roundingUpWidth: max(1, width), height: max(1, height)) else {
            throw height.unsupported("the height of the scaled watermark", allowed: "at most 1000000000 pixels")
        }
        return size
    }

    /// Returns the start of the watermark along an axis with `room` free pixels.
    private static func start(withRoom room: Int, halvesBefore: Int, offset: Int) -> Int {
        room * halvesBefore / 2 + (halvesBefore == 2 ? -offset : offset)
    }
}

extension ImageTransformer where Self == Watermark {
    /// Composites `overlay` over the image, positioned by `gravity` and the offsets.
    public static func watermark(
        _ overlay: Bitmap, gravity: Gravity = .bottomRight, offsetX: Double = 0, offsetY: Double = 0,
        opacity: Double = 1, scale: Double? = nil
    ) -> Watermark {
        Watermark(overlay, gravity: gravity, offsetX: offsetX, offsetY: offsetY, opacity: opacity, scale: scale)
    }
}
