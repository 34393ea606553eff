extension Span<UInt8> {
    /// Returns the little-endian number of `byteCount` bytes, at most 4, at `offset`; `nil` if it exceeds the file.
    func number(at offset: Int, byteCount: Int) -> Int? {
        guard offset >= 0, offset <= count - byteCount else { return nil }
        return (0..<byteCount).reduce(0) { $0 | Int(self[offset + $1]) << (8 * $1) }
    }
}

extension Array<UInt8> {
    /// Appends `number` in little-endian order, as `byteCount` bytes.
    mutating func append(_ number: Int, byteCount: Int) {
        for index in 0..<byteCount { append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }
}
