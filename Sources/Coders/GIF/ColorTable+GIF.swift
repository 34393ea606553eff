import DarkroomQuantizing

extension ColorTable {
    /// Creates a table of the colours of `patch` in order of first occurrence. Returns `nil` if there are more than
    /// `capacity`.
    init?(_ patch: GIFPatch, capacity: Int) throws {
        self.init(capacity: capacity)
        guard try insert(colorsOf: patch) else { return nil }
    }

    /// The index of transparent pixels, if any.
    var transparentIndex: UInt8? { index(of: .transparent) }

    /// Inserts the colours of `patch`. Returns whether all of them fit.
    mutating func insert(colorsOf patch: GIFPatch) throws -> Bool {
        var isComplete = true
        var last: PackedColor?
        try patch.forEachRow { row in
            for color in row where color != last {
                last = color
                isComplete = isComplete && insert(color)
            }
            return isComplete
        }
        return isComplete
    }
}
