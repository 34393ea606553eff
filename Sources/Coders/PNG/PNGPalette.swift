import DarkroomCore
import DarkroomQuantizing

/// The distinct colours of bitmaps, up to 256.
struct PNGPalette {
    private var table = ColorTable()

    /// Whether there are more than 256.
    private(set) var isFull = false

    /// Whether any bitmap has an alpha channel.
    private(set) var hasAlpha = false

    /// Whether all colours have three equal channels, even those that do not fit.
    private(set) var isGray = true

    /// Creates an empty palette.
    init() {}

    /// Creates a palette of `colors`, in this order.
    init(_ colors: [PackedColor], hasAlpha: Bool) {
        self.hasAlpha = hasAlpha
        for color in colors { insert(color) }
    }

    /// The colours, in order of occurrence.
    var colors: [PackedColor] { table.colors }

    /// The number of colours.
    var count: Int { colors.count }

    /// Whether a picture with a palette may be smaller as greyscale with alpha. Smooth shadows are, and outlines are not.
    var mayBeSmallerAsGray: Bool { hasAlpha && isGray && !isFull && count > 16 }

    /// Whether further colours change nothing: there are too many for a palette, and some are not grey.
    var isDecided: Bool { isFull && !isGray }

    /// Inserts the colours of `bitmap`, up to the one that decides. `checkCancellation` is called once per row.
    mutating func insert(_ bitmap: Bitmap, checkCancellation: () throws -> Void) throws {
        hasAlpha = hasAlpha || bitmap.hasAlpha
        let width = bitmap.size.width
        try unsafe bitmap.withWords { words in
            var last: PackedColor?
            for start in stride(from: 0, to: words.count, by: width) where !isDecided {
                try checkCancellation()
                for index in start..<(start + width) {
                    let color = unsafe PackedColor(bits: UInt32(littleEndian: words[index]))
                    guard color != last else { continue }
                    last = color
                    if isFull { isGray = isGray && color.isGray } else { insert(color) }
                }
            }
        }
    }

    /// Returns the index of `color`, which must be present.
    func index(of color: PackedColor) -> UInt8 { table.index(of: color) ?? 0 }

    /// Returns the same colours, sorted so that opaque ones come last, which need no entry in `tRNS`.
    func sorted() -> PNGPalette {
        PNGPalette(colors.filter { !$0.isOpaque } + colors.filter(\.isOpaque), hasAlpha: hasAlpha)
    }

    private mutating func insert(_ color: PackedColor) {
        isGray = isGray && color.isGray
        isFull = !table.insert(color)
    }
}
