/// A size in pixels.
public struct PixelSize: Hashable, Sendable, Codable {
    /// The number of columns and rows. They are 0 only before a header is read.
    public var width, height: Int

    /// Creates a size of `width` columns and `height` rows.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Creates a size of `width` columns and `height` rows.
    public init(_ width: Int, _ height: Int) { self.init(width: width, height: height) }

    /// The number of bytes of RGBA8 pixels; `nil` if it overflows `Int`, or a side is not positive.
    public var byteCount: Int? {
        guard width > 0, height > 0 else { return nil }
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        let (bytes, overflow4) = pixels.multipliedReportingOverflow(by: 4)
        return overflow || overflow4 ? nil : bytes
    }

    /// The number of pixels, or `Int.max` if it overflows; 0 if a side is not positive.
    public var pixelCount: Int {
        guard width > 0, height > 0 else { return 0 }
        return width.multiplied(by: height)
    }

    /// The size with its sides exchanged.
    public var transposed: PixelSize { PixelSize(height, width) }
}

extension PixelSize: CustomStringConvertible {
    /// The size as `180×120`.
    public var description: String { "\(width)×\(height)" }
}
