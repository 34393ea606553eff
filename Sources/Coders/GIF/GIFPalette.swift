/// At most 256 distinct colours with an index each, in a small hash table.
struct GIFPalette {
    /// The colours by index.
    private(set) var colors: [GIFColor] = []

    /// The index of transparent pixels, if any.
    private(set) var transparentIndex: UInt8?

    /// The colour index plus 1 for each slot; 0 for an empty one.
    private var slots = [UInt16](repeating: 0, count: 1024)

    /// Creates a palette of `colors`, of which there may be at most 256.
    init(_ colors: [GIFColor] = []) {
        for color in colors { insert(color) }
    }

    /// Creates a palette of the colours of `patch` in order of first occurrence. Returns `nil` if there are too many.
    init?(_ patch: GIFPatch) throws {
        guard try insert(colorsOf: patch) else { return nil }
    }

    /// Inserts the colours of `patch`. Returns whether all of them fit.
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

    /// Inserts `color` unless it is present. Returns whether it fits.
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

    /// Returns the index of `color`, or `nil` if the palette does not contain it.
    func index(of color: GIFColor) -> UInt8? {
        let entry = slots[slot(of: color)]
        return entry == 0 ? nil : UInt8(entry - 1)
    }

    /// Returns the slot of `color`, or the slot to insert it at.
    private func slot(of color: GIFColor) -> Int {
        var slot = Int((color.bits &* 0x9E37_79B1) >> 22)
        while slots[slot] != 0, colors[Int(slots[slot]) - 1] != color { slot = (slot + 1) & 1023 }
        return slot
    }
}
