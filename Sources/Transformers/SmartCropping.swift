public import DarkroomCore

/// Resizes and crops an image to exactly the given size, keeping its most interesting part.
///
/// A large still is decoded with fewer pixels. Where several parts are almost equally interesting, it can then be another one.
public struct SmartCropping: ImageTransformer {
    /// The measure of interest.
    public enum Measure: String, Sendable, CaseIterable {
        /// The entropy of the brightness histogram.
        case entropy
        /// The number and strength of edges: the sum of the Sobel operator.
        case edges
    }

    private let width, height: Double
    private let measure: Measure

    /// Creates a crop to `width` × `height` pixels, each rounded up to whole pixels.
    public init(width: Double, height: Double, by measure: Measure = .entropy) {
        self.width = width.roundedToSixDecimals
        self.height = height.roundedToSixDecimals
        self.measure = measure
    }

    /// The size and measure, such as `SmartCropping({100.000000,100.000000},entropy)`.
    public var identifier: String {
        "SmartCropping({\(width.sixDecimals),\(height.sixDecimals)},\(measure.rawValue))"
    }

    /// The thumbnail that covers the size, since the best part is sought at that scale.
    public var sufficientThumbnail: Thumbnail? { .cover(width, height) }

    /// Returns the size that the image is resized to before it is cropped.
    public func largestSize(for size: PixelSize) -> PixelSize { (try? sizes(for: size).0) ?? size }

    /// Returns a crop to the best part of the first frame.
    public func resolved(forFirstFrame firstFrame: Bitmap, request: TransformRequest) throws -> any ImageTransformer {
        let (size, canvas) = try sizes(for: request.sourceSize ?? firstFrame.size)
        let resized = try firstFrame.resized(
            to: size, limits: request.context.limits, checkCancellation: request.checkCancellation)
        return FixedCropping(
            identifier: identifier, size: size, area: try bestArea(of: resized, size: canvas, for: request))
    }

    /// Returns the best part of the image, after resizing it to just cover the size. Of equally good parts, it is the
    /// one nearest to the centre.
    ///
    /// - Throws: An error of kind `unsupported` if a side is not positive.
    public func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        let (size, canvas) = try sizes(for: request.sourceSize ?? bitmap.size)
        let resized = try bitmap.resized(
            to: size, limits: request.context.limits, checkCancellation: request.checkCancellation)
        return try resized.window(try bestArea(of: resized, size: canvas, for: request), for: request)
    }

    /// Returns the size to resize to, and the size to crop to.
    private func sizes(for size: PixelSize) throws -> (PixelSize, PixelSize) {
        let canvas = PixelSize(try width.side("the width to crop to"), try height.side("the height to crop to"))
        let (width, height) = (Double(size.width), Double(size.height))
        let scale = max(Double(canvas.width) / width, Double(canvas.height) / height)
        return (
            PixelSize(
                max(canvas.width, Int((width * scale).rounded())), max(canvas.height, Int((height * scale).rounded()))),
            canvas
        )
    }

    private func bestArea(of bitmap: Bitmap, size canvas: PixelSize, for request: TransformRequest) throws
        -> PixelRectangle
    {
        let isWide = bitmap.size.width > canvas.width
        let lines = try BrightnessLines(bitmap, areColumns: isWide, for: request)
        let length = isWide ? canvas.width : canvas.height
        let scores =
            switch measure {
            case .entropy: try lines.entropies(length: length, for: request)
            case .edges: try lines.edges(length: length, for: request)
            }
        let start = Self.bestStart(for: scores)
        return PixelRectangle(x: isWide ? start : 0, y: isWide ? 0 : start, width: canvas.width, height: canvas.height)
    }

    private static func bestStart(for scores: [Int]) -> Int {
        let maximum = scores.max()
        func distance(_ index: Int) -> UInt { (2 * index - (scores.count - 1)).magnitude }
        return scores.indices.filter { scores[$0] == maximum }.min { distance($0) < distance($1) } ?? 0
    }
}

/// A fixed part of the resized image.
private struct FixedCropping: ImageTransformer {
    let identifier: String
    let size: PixelSize
    let area: PixelRectangle

    func largestSize(for _: PixelSize) -> PixelSize { size }

    func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        try bitmap.resized(to: size, limits: request.context.limits, checkCancellation: request.checkCancellation)
            .window(area, for: request)
    }
}

extension ImageTransformer where Self == SmartCropping {
    /// Resizes and crops to exactly `width` × `height` pixels, keeping the best part by `measure`.
    public static func smartCrop(
        _ width: Double, _ height: Double, by measure: SmartCropping.Measure = .entropy
    ) -> SmartCropping {
        SmartCropping(width: width, height: height, by: measure)
    }
}
