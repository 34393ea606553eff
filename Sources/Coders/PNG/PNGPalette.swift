import DarkroomCore

/// The distinct colours of bitmaps, up to 256.
struct PNGPalette {
    /// The colours as RGBA words, in order of occurrence.
    private(set) var colors: [UInt32] = []

    /// Whether there are more than 256.
    private(set) var isFull = false

    /// Whether any bitmap has an alpha channel.
    private(set) var hasAlpha = false

    /// Whether all colours have three equal channels, even those that do not fit.
    private(set) var isGray = true

    /// A hash table with linear probing: the index of a colour in `colors`, plus 1.
    private var slots = [UInt16](repeating: 0, count: 1024)

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
            var last: UInt32?
            for start in stride(from: 0, to: words.count, by: width) where !isDecided {
                try checkCancellation()
                for index in start..<(start + width) {
                    let color = unsafe UInt32(littleEndian: words[index])
                    guard color != last else { continue }
                    last = color
                    if isFull { isGray = isGray && color.isGray } else { insert(color) }
                }
            }
        }
    }

    /// Returns the index of `color`, which must be present.
    func index(of color: UInt32) -> UInt8 { UInt8(slots[slot(of: color)] - 1) }

    /// Returns the same colours, sorted so that opaque ones come last, which need no entry in `tRNS`.
    func sorted() -> PNGPalette {
        var palette = PNGPalette()
        palette.hasAlpha = hasAlpha
        for color in colors.filter({ $0 >> 24 < 255 }) + colors.filter({ $0 >> 24 == 255 }) { palette.insert(color) }
        return palette
    }

    private mutating func insert(_ color: UInt32) {
        let slot = slot(of: color)
        guard slots[slot] == 0 else { return }
        isGray = isGray && color.isGray
        guard colors.count < 256 else { return isFull = true }
        colors.append(color)
        slots[slot] = UInt16(colors.count)
    }

    /// Returns the slot of `color`, or an empty one. At most a quarter of the slots are used.
    private func slot(of color: UInt32) -> Int {
        var slot = Int((color &* 0x9E37_79B1) >> 22)
        while slots[slot] != 0, colors[Int(slots[slot]) - 1] != color { slot = (slot + 1) & 1023 }
        return slot
    }
}

extension UInt32 {
    /// Whether the first three channels of an RGBA word are equal.
    fileprivate var isGray: Bool { self & 255 == self >> 8 & 255 && self & 255 == self >> 16 & 255 }
}
