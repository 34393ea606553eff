import DarkroomCore

/// How the pixels of a file to be written are stored, so that nothing of them is lost.
enum PNGLayout {
    /// Three channels: no bitmap has alpha.
    case rgb
    /// Four channels.
    case rgba
    /// One channel: all pixels are grey, and no bitmap has alpha.
    case gray
    /// A table of at most 256 colours.
    case palette(PNGPalette)

    /// The smallest layout for bitmaps of these colours.
    ///
    /// Whether a bitmap has alpha is kept, too: the palette is then written with transparency, be all colours opaque.
    init(_ colors: PNGPalette, allowsGray: Bool) {
        if colors.isFull {
            self = colors.hasAlpha ? .rgba : .rgb
        } else if allowsGray, !colors.hasAlpha, colors.isGray, colors.count > 16 {
            // Indices of eight bits would be no smaller, and compress worse.
            self = .gray
        } else {
            self = .palette(colors)
        }
    }

    /// Whether `bitmap`, whose colours were looked at if there is a palette, loses nothing.
    func holds(_ bitmap: Bitmap) -> Bool {
        if case .rgb = self { return !bitmap.hasAlpha }
        return true
    }

    /// How many bytes a pixel takes in the rows that the writer is given.
    var pixelByteCount: Int {
        switch self {
        case .rgb, .rgba: 4
        case .gray, .palette: 1
        }
    }
}
