/// At most 256 different colours, each with an index: a hash table as small as that.
struct GIFPalette {
    /// The colours by index.
    private(set) var colors: [GIFColor] = []

    /// The index of transparent pixels, if there are any.
    private(set) var transparentIndex: UInt8?

    /// For each slot the index of a colour, and 1 more; 0 for none.
    private var slots = [UInt16](repeating: 0, count: 1024)

    /// The palette of these colours, of which there are at most 256.
    init(_ colors: [GIFColor] = []) {
        for color in colors { insert(color) }
    }

    /// The colours of `patch` in the order in which they first occur; `nil` when they are too many.
    init?(_ patch: GIFPatch) throws {
        guard try insert(colorsOf: patch) else { return nil }
    }

    /// Adds the colours of `patch`; answers whether there was room for all.
    mutating func insert(colorsOf patch: GIFPatch) throws -> Bool {
        var isComplete = true
        var last: GIFColor?
        try patch.forEachRow { row in
            for color in row where color != last {
                last = color
                isComplete = isComplete && insert(color)
            }
            return isComplete
        }
        return isComplete
    }

    /// Adds `color` if it is new; answers whether there was room.
    @discardableResult
    mutating func insert(_ color: GIFColor) -> Bool {
        let slot = slot(of: color)
        guard slots[slot] == 0 else { return true }
        guard colors.count < 256 else { return false }
        if color == .transparent { transparentIndex = UInt8(colors.count) }
        colors.append(color)
        slots[slot] = UInt16(colors.count)
        return true
    }

    /// The index of `color`; `nil` for a colour that is none of these.
    func index(of color: GIFColor) -> UInt8? {
        let entry = slots[slot(of: color)]
        return entry == 0 ? nil : UInt8(entry - 1)
    }

    /// The slot where `color` is, or where it would be.
    private func slot(of color: GIFColor) -> Int {
        var slot = Int((color.bits &* 0x9E37_79B1) >> 22)
        while slots[slot] != 0, colors[Int(slots[slot]) - 1] != color { slot = (slot + 1) & 1023 }
        return slot
    }
}
