import DarkroomPlatform

/// Writes a message to another process.
struct MessageWriter {
    private(set) var bytes: [UInt8] = []

    mutating func put(_ value: some FixedWidthInteger) {
        unsafe withUnsafeBytes(of: value.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    /// Appends what `other` has written.
    mutating func append(_ other: MessageWriter) { bytes += other.bytes }

    mutating func put(_ value: Bool) { bytes.append(value ? 1 : 0) }

    mutating func put(_ value: Double) { put(value.bitPattern) }

    mutating func put(_ value: Duration) {
        put(value.components.seconds)
        put(value.components.attoseconds)
    }

    mutating func put(_ value: String) {
        put(value.utf8.count)
        bytes += value.utf8
    }

    mutating func put(_ value: Data) {
        put(value.count)
        bytes += value
    }

    /// Writes whether there is a value, and the value.
    mutating func put<Value>(_ value: Value?, _ write: (inout Self, Value) -> Void) {
        put(value != nil)
        if let value { write(&self, value) }
    }

    /// Writes the number of values, and each of them.
    mutating func put<Value>(_ values: [Value], _ write: (inout Self, Value) -> Void) {
        put(values.count)
        for value in values { write(&self, value) }
    }
}
