import DarkroomCore

/// The different colours of bitmaps, up to 256.
struct PNGPalette {
    /// The colours in the order they came, as words of RGBA.
    private(set) var colors: [UInt32] = []

    /// Whether there are more than 256.
    private(set) var isFull = false

    /// Whether some bitmap has alpha in its format.
    private(set) var hasAlpha = false

    /// Whether all colours have three equal channels.
    private(set) var isGray = true

    /// Where in `colors` a colour stands, plus 1; found by hash, and then on from slot to slot.
    private var slots = [UInt16](repeating: 0, count: 1024)

    /// How many colours there are.
    var count: Int { colors.count }

    /// Takes in the colours of `bitmap`; `checkCancellation` is called once a row.
    mutating func insert(_ bitmap: Bitmap, checkCancellation: () throws -> Void) throws {
        hasAlpha = hasAlpha || bitmap.hasAlpha
        let width = bitmap.size.width
        try unsafe bitmap.withWords { words in
            var last: UInt32?
            for start in stride(from: 0, to: words.count, by: width) where !isFull {
                try checkCancellation()
                for index in start..<(start + width) {
                    let color = unsafe UInt32(littleEndian: words[index])
                    guard color != last else { continue }
                    last = color
                    insert(color)
                }
            }
        }
    }

    /// Where `color`, which is there, stands.
    func index(of color: UInt32) -> UInt8 { UInt8(slots[slot(of: color)] - 1) }

    /// The same colours, those that are not opaque first: the others need no entry in the table of transparency.
    func sorted() -> PNGPalette {
        var palette = PNGPalette()
        palette.hasAlpha = hasAlpha
        for color in colors.filter({ $0 >> 24 < 255 }) + colors.filter({ $0 >> 24 == 255 }) { palette.insert(color) }
        return palette
    }

    private mutating func insert(_ color: UInt32) {
        let slot = slot(of: color)
        guard slots[slot] == 0 else { return }
        guard colors.count < 256 else { return isFull = true }
        colors.append(color)
        slots[slot] = UInt16(colors.count)
        isGray = isGray && color & 255 == color >> 8 & 255 && color & 255 == color >> 16 & 255
    }

    /// The slot of `color`, or an empty one: a quarter of them is used at most.
    private func slot(of color: UInt32) -> Int {
        var slot = Int((color &* 0x9E37_79B1) >> 22)
        while slots[slot] != 0, colors[Int(slots[slot]) - 1] != color { slot = (slot + 1) & 1023 }
        return slot
    }
}
