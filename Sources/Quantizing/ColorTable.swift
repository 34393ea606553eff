/// Distinct colours with an index each, up to a number of them, in a small hash table.
package struct ColorTable {
    /// The most colours that an index of one byte can tell apart.
    package static let largestCapacity = 256

    /// The colours by index, in the order in which they were inserted.
    package private(set) var colors: [PackedColor] = []

    private let capacity: Int

    /// The index of a colour plus 1 for each slot; 0 for an empty one.
    private var slots = [UInt16](repeating: 0, count: 1024)

    /// Creates a table of at most `capacity` colours, up to 256.
    package init(capacity: Int = largestCapacity) { self.capacity = min(capacity, Self.largestCapacity) }

    /// Creates a table of `colors`, of which there may be at most 256.
    package init(_ colors: [PackedColor]) {
        self.init()
        for color in colors { insert(color) }
    }

    /// Inserts `color` unless it is present. Returns whether it fits.
    @discardableResult
    package mutating func insert(_ color: PackedColor) -> Bool {
        let slot = slot(of: color)
        guard slots[slot] == 0 else { return true }
        guard colors.count < capacity else { return false }
        colors.append(color)
        slots[slot] = UInt16(colors.count)
        return true
    }

    /// Returns the index of `color`, or `nil` if it is absent.
    package func index(of color: PackedColor) -> UInt8? {
        let entry = slots[slot(of: color)]
        return entry == 0 ? nil : UInt8(entry - 1)
    }

    /// Returns the slot of `color`, or an empty one. At most a quarter of the slots are used.
    private func slot(of color: PackedColor) -> Int {
        var slot = Int((color.bits &* 0x9E37_79B1) >> 22)
        while slots[slot] != 0, colors[Int(slots[slot]) - 1] != color { slot = (slot + 1) & 1023 }
        return slot
    }
}
