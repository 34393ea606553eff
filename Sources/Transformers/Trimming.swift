public import DarkroomCore

/// Cuts away the border that has the colour of the upper left pixel.
public struct Trimming: ImageTransformer {
    private let tolerance: Int

    /// A border whose channels, the colour times alpha, and alpha are within `tolerance` of the upper left pixel's, 0 to 255.
    ///
    /// Wholly transparent pixels are thus alike whatever their colour.
    public init(tolerance: Int = 10) { self.tolerance = tolerance }

    /// The tolerance, such as `Trimming(10)`.
    public var identifier: String { "Trimming(\(tolerance))" }

    /// The cut that suits the first frame.
    public func settled(on firstFrame: Bitmap, _ request: TransformRequest) throws -> any ImageTransformer {
        try cropping(firstFrame, request)
    }

    /// The picture without its border, or as it is when it has one colour; an error of kind `unsupported` for a tolerance
    /// out of range.
    public func transform(_ bitmap: Bitmap, _ request: TransformRequest) throws -> Bitmap {
        try cropping(bitmap, request).transform(bitmap, request)
    }

    private func cropping(_ bitmap: Bitmap, _ request: TransformRequest) throws -> Cropping {
        guard (0...255).contains(tolerance) else {
            throw ImageError(
                .unsupported, .transform, "the tolerance of trimming is \(tolerance), but must be 0 to 255")
        }
        let border = unsafe bitmap.withWords { unsafe Border($0[0], tolerance: tolerance, width: bitmap.size.width) }
        return Cropping(try border.content(of: bitmap, request) ?? PixelRectangle(bitmap.size))
    }
}

/// The pixels that may be cut away.
private struct Border {
    private let word: UInt32
    private let channels: SIMD4<Float>
    private let tolerance: Float
    private let width: Int

    init(_ word: UInt32, tolerance: Int, width: Int) {
        self.word = word
        channels = word.premultiplied
        self.tolerance = Float(tolerance)
        self.width = width
    }

    /// The smallest rectangle that holds all pixels that are no border; `nil` for none.
    func content(of bitmap: Bitmap, _ request: TransformRequest) throws -> PixelRectangle? {
        let rows = 0..<bitmap.size.height
        guard let top = try rows.first(where: { try columns($0, of: bitmap, request) != nil }),
            let bottom = try (top..<rows.upperBound).last(where: { try columns($0, of: bitmap, request) != nil })
        else { return nil }
        var (first, last) = (bitmap.size.width, 0)
        for row in top...bottom {
            guard let columns = try columns(row, of: bitmap, request) else { continue }
            (first, last) = (min(first, columns.lowerBound), max(last, columns.upperBound))
        }
        return PixelRectangle(x: first, y: top, width: last - first, height: bottom - top + 1)
    }

    /// From the first to the last pixel of a row that is no border; `nil` for none.
    private func columns(_ row: Int, of bitmap: Bitmap, _ request: TransformRequest) throws -> Range<Int>? {
        try request.checkCancellation()
        return unsafe bitmap.withWords { words in
            let pixels = unsafe words[(row * width)...].prefix(width)
            guard let first = unsafe pixels.firstIndex(where: { !contains($0) }),
                let last = unsafe pixels.lastIndex(where: { !contains($0) })
            else { return nil }
            return (first - row * width)..<(last - row * width + 1)
        }
    }

    private func contains(_ pixel: UInt32) -> Bool {
        guard pixel != word else { return true }
        let difference = pixel.premultiplied - channels
        return difference.max() <= tolerance && difference.min() >= -tolerance
    }
}

extension ImageTransformer where Self == Trimming {
    /// Cuts away the border that is within `tolerance` of the upper left pixel.
    public static func trim(tolerance: Int = 10) -> Trimming { Trimming(tolerance: tolerance) }
}
