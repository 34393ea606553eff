public import DarkroomCore

/// Makes a picture exactly as large as asked, larger ones included.
public struct Resizing: ImageTransformer {
    /// How a picture is placed on the new canvas. The raw values are SDWebImage's, and stand in identifiers.
    public enum Mode: Int, Sendable, CaseIterable {
        /// Stretched to the whole canvas.
        case fill = 0
        /// As large as fits, centred; the rest is transparent.
        case fit = 1
        /// As small as covers, centred; what hangs over is cut.
        case cover = 2
    }

    private let width, height: Double
    private let mode: Mode

    /// A canvas of `width` × `height` pixels, each side rounded up to whole ones.
    public init(width: Double, height: Double, mode: Mode = .fill) {
        self.width = width
        self.height = height
        self.mode = mode
    }

    /// Size and mode, such as `Resizing({100.000000,100.000000},2)`.
    public var identifier: String { "Resizing({\(width.sixDecimals),\(height.sixDecimals)},\(mode.rawValue))" }

    /// The picture on the new canvas; an error of kind `unsupported` for a side that is not positive.
    public func transform(_ bitmap: Bitmap, _ request: TransformRequest) throws -> Bitmap {
        guard width > 0, height > 0, width < 1e9, height < 1e9 else {
            throw ImageError(.unsupported, .transform, "a picture cannot be resized to \(width)×\(height)")
        }
        let canvas = PixelSize(Int(width.rounded(.up)), Int(height.rounded(.up)))
        switch mode {
        case .fill: return try resize(bitmap, to: canvas, request)
        case .fit: return try fit(bitmap, in: canvas, request)
        case .cover: return try cover(bitmap, in: canvas, request)
        }
    }

    private func resize(_ bitmap: Bitmap, to size: PixelSize, _ request: TransformRequest) throws -> Bitmap {
        try bitmap.resized(
            to: size, limits: request.context.limits, checkCancellation: request.checkCancellation)
    }

    private func fit(_ bitmap: Bitmap, in canvas: PixelSize, _ request: TransformRequest) throws -> Bitmap {
        let scale = min(canvas.widthRatio(to: bitmap.size), canvas.heightRatio(to: bitmap.size))
        let picture = try resize(bitmap, to: bitmap.size.scaled(by: scale, within: canvas), request)
        guard picture.size != canvas else { return picture }
        let (left, top) = ((canvas.width - picture.size.width) / 2, (canvas.height - picture.size.height) / 2)
        return try Bitmap(canvas, hasAlpha: true, limits: request.context.limits) { target in
            picture.withPixels { source in
                let rowByteCount = picture.size.width * 4
                for row in 0..<picture.size.height {
                    let start = ((top + row) * canvas.width + left) * 4
                    for index in 0..<rowByteCount { target[start + index] = source[row * rowByteCount + index] }
                }
            }
        }
    }

    private func cover(_ bitmap: Bitmap, in canvas: PixelSize, _ request: TransformRequest) throws -> Bitmap {
        let scale = max(canvas.widthRatio(to: bitmap.size), canvas.heightRatio(to: bitmap.size))
        // Only what will be seen is resampled.
        let (visibleWidth, visibleHeight) = (Double(canvas.width) / scale, Double(canvas.height) / scale)
        let visible = Cropping(
            x: ((Double(bitmap.size.width) - visibleWidth) / 2).rounded(),
            y: ((Double(bitmap.size.height) - visibleHeight) / 2).rounded(),
            width: max(1, visibleWidth.rounded()), height: max(1, visibleHeight.rounded()))
        return try resize(try visible.transform(bitmap, request), to: canvas, request)
    }
}

extension PixelSize {
    fileprivate func widthRatio(to other: PixelSize) -> Double { Double(width) / Double(other.width) }

    fileprivate func heightRatio(to other: PixelSize) -> Double { Double(height) / Double(other.height) }

    /// The size times `scale`, rounded, with no side beyond `bound` or below 1.
    fileprivate func scaled(by scale: Double, within bound: PixelSize) -> PixelSize {
        PixelSize(
            min(bound.width, max(1, Int((Double(width) * scale).rounded()))),
            min(bound.height, max(1, Int((Double(height) * scale).rounded()))))
    }
}

extension ImageTransformer where Self == Resizing {
    /// Makes the picture exactly `width` × `height` pixels large, placed by `mode`.
    public static func resize(_ width: Double, _ height: Double, _ mode: Resizing.Mode = .fill) -> Resizing {
        Resizing(width: width, height: height, mode: mode)
    }
}
