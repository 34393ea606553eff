import DarkroomCore

/// A lossless pixel layout of an encoded file.
enum PNGLayout {
    /// Three channels: no bitmap has alpha.
    case rgb
    /// Four channels.
    case rgba
    /// One channel: all pixels are grey, and no bitmap has alpha.
    case gray
    /// Two channels: all pixels are grey.
    case grayAlpha
    /// A table of at most 256 colours.
    case palette(PNGPalette)

    /// Creates the smallest layout for bitmaps with `colors`.
    ///
    /// A bitmap with alpha keeps it: its palette is stored with transparency even if all colours are opaque.
    init(_ colors: PNGPalette, allowsGray: Bool) {
        if allowsGray, colors.isGray, colors.isFull || colors.count > 16 && !colors.hasAlpha {
            // Eight-bit indices would be no smaller, and compress worse.
            self = colors.hasAlpha ? .grayAlpha : .gray
        } else if colors.isFull {
            self = colors.hasAlpha ? .rgba : .rgb
        } else {
            self = .palette(colors)
        }
    }

    /// Whether `bitmap` can be stored losslessly. For a palette, its colours must have been inserted.
    func holds(_ bitmap: Bitmap) -> Bool {
        switch self {
        case .rgb, .gray: !bitmap.hasAlpha
        case .rgba, .grayAlpha, .palette: true
        }
    }

    /// The number of bytes per pixel in the rows passed to the writer.
    var pixelByteCount: Int {
        switch self {
        case .rgb, .rgba: 4
        case .grayAlpha: 2
        case .gray, .palette: 1
        }
    }
}
