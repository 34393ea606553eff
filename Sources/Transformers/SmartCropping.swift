public import DarkroomCore

/// Makes a picture exactly as large as asked and shows the part of it in which most is to be seen.
public struct SmartCropping: ImageTransformer {
    /// What counts as much to be seen.
    public enum Measure: String, Sendable, CaseIterable {
        /// Many different brightnesses: the entropy of their histogram.
        case entropy
        /// Many and strong edges: the sum of Sobel's operator.
        case edges
    }

    private let width, height: Double
    private let measure: Measure

    /// A picture of `width` × `height` pixels, each side rounded up to whole ones.
    public init(width: Double, height: Double, by measure: Measure = .entropy) {
        self.width = width
        self.height = height
        self.measure = measure
    }

    /// Size and measure, such as `SmartCropping({100.000000,100.000000},entropy)`.
    public var identifier: String {
        "SmartCropping({\(width.sixDecimals),\(height.sixDecimals)},\(measure.rawValue))"
    }

    /// The size that just covers what is asked for, of which a part is left.
    public func largestSize(for size: PixelSize) -> PixelSize { (try? sizes(for: size).0) ?? size }

    /// The part that suits the first frame.
    public func settled(on firstFrame: Bitmap, _ request: TransformRequest) throws -> any ImageTransformer {
        let (size, canvas) = try sizes(for: firstFrame.size)
        let resized = try firstFrame.resized(
            to: size, limits: request.context.limits, checkCancellation: request.checkCancellation)
        return Part(identifier: identifier, size: size, area: try best(of: resized, canvas, request))
    }

    /// The picture, resized so that it just covers the size, and of that the best part; of equally good ones, the one
    /// nearest to the middle. An error of kind `unsupported` for a side that is not positive.
    public func transform(_ bitmap: Bitmap, _ request: TransformRequest) throws -> Bitmap {
        let (size, canvas) = try sizes(for: bitmap.size)
        let resized = try bitmap.resized(
            to: size, limits: request.context.limits, checkCancellation: request.checkCancellation)
        return try resized.window(try best(of: resized, canvas, request), request)
    }

    /// What the picture is resized to, and what is left of it.
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

    private func best(of bitmap: Bitmap, _ canvas: PixelSize, _ request: TransformRequest) throws -> PixelRectangle {
        let isWide = bitmap.size.width > canvas.width
        let lines = try BrightnessLines(bitmap, areColumns: isWide, request)
        let length = isWide ? canvas.width : canvas.height
        let scores =
            switch measure {
            case .entropy: try lines.entropies(length: length, request)
            case .edges: try lines.edges(length: length, request)
            }
        let start = Self.best(of: scores)
        return PixelRectangle(x: isWide ? start : 0, y: isWide ? 0 : start, width: canvas.width, height: canvas.height)
    }

    private static func best(of scores: [Int]) -> Int {
        let most = scores.max()
        func distance(_ index: Int) -> UInt { (2 * index - (scores.count - 1)).magnitude }
        return scores.indices.filter { scores[$0] == most }.min { distance($0) < distance($1) } ?? 0
    }
}

/// A part of the resized picture that is settled.
private struct Part: ImageTransformer {
    let identifier: String
    let size: PixelSize
    let area: PixelRectangle

    func largestSize(for _: PixelSize) -> PixelSize { size }

    func transform(_ bitmap: Bitmap, _ request: TransformRequest) throws -> Bitmap {
        try bitmap.resized(to: size, limits: request.context.limits, checkCancellation: request.checkCancellation)
            .window(area, request)
    }
}

extension ImageTransformer where Self == SmartCropping {
    /// Makes the picture exactly `width` × `height` pixels large and shows its best part by `measure`.
    public static func smartCrop(
        _ width: Double, _ height: Double, by measure: SmartCropping.Measure = .entropy
    ) -> SmartCropping {
        SmartCropping(width: width, height: height, by: measure)
    }
}
