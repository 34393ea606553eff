public import DarkroomCore

/// Removes the border that has the colour of the top left pixel.
public struct Trimming: ImageTransformer {
    private let tolerance: Int

    /// Creates a trim of all pixels whose premultiplied channels and alpha are within `tolerance` of the top left
    /// pixel's, 0 to 255.
    ///
    /// Fully transparent pixels are therefore equal whatever their colour.
    public init(tolerance: Int = 10) { self.tolerance = tolerance }

    /// The tolerance, such as `Trimming(10)`.
    public var identifier: String { "Trimming(\(tolerance))" }

    /// Returns a crop to the content of the first frame.
    public func resolved(forFirstFrame firstFrame: Bitmap, request: TransformRequest) throws -> any ImageTransformer {
        try cropping(firstFrame, for: request)
    }

    /// Returns the image without its border, or unchanged if it has a single colour.
    ///
    /// - Throws: An error of kind `unsupported` if the tolerance is out of range.
    public func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        try cropping(bitmap, for: request).transform(bitmap, for: request)
    }

    private func cropping(_ bitmap: Bitmap, for request: TransformRequest) throws -> Cropping {
        guard (0...255).contains(tolerance) else {
            throw ImageError(
                .unsupported, .transform, "the tolerance of trimming is \(tolerance), but must be 0 to 255")
        }
        let border = unsafe bitmap.withWords {
            unsafe BorderCriterion($0[0], tolerance: tolerance, width: bitmap.size.width)
        }
        return Cropping(try border.content(of: bitmap, for: request) ?? PixelRectangle(bitmap.size))
    }
}

/// The criterion for pixels of the border.
private struct BorderCriterion {
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

    /// Returns the smallest rectangle that contains all pixels outside the border, or `nil` if there are none.
    func content(of bitmap: Bitmap, for request: TransformRequest) throws -> PixelRectangle? {
        let rows = 0..<bitmap.size.height
        guard let top = try rows.first(where: { try columns($0, of: bitmap, for: request) != nil }),
            let bottom = try (top..<rows.upperBound).last(where: { try columns($0, of: bitmap, for: request) != nil })
        else { return nil }
        var (first, last) = (bitmap.size.width, 0)
        for row in top...bottom {
            guard let columns = try columns(row, of: bitmap, for: request) else { continue }
            (first, last) = (min(first, columns.lowerBound), max(last, columns.upperBound))
        }
        return PixelRectangle(x: first, y: top, width: last - first, height: bottom - top + 1)
    }

    /// Returns the range from the first to the last pixel of a row outside the border, or `nil` if there are none.
    private func columns(_ row: Int, of bitmap: Bitmap, for request: TransformRequest) throws -> Range<Int>? {
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
    /// Removes the border that is within `tolerance` of the top left pixel.
    public static func trim(tolerance: Int = 10) -> Trimming { Trimming(tolerance: tolerance) }
}
