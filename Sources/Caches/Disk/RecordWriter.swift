import DarkroomPlatform

/// Writes a sequence of values that `RecordReader` reads.
struct RecordWriter: RecordCoder {
    typealias Failure = Never

    /// The bytes so far.
    private(set) var bytes: [UInt8] = []

    /// Creates a writer with room for the record of a usual entry.
    init() { bytes.reserveCapacity(1024) }

    /// Writes a zigzag-encoded variable-length integer: seven bits per byte, the lowest ones first, with the sign in
    /// bit 0.
    mutating func write(_ value: Int) {
        var rest = UInt(bitPattern: (value << 1) ^ (value >> (Int.bitWidth - 1)))
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func code(_ value: inout Int) { write(value) }

    mutating func code(_ value: inout Bool) { write(value) }

    mutating func code(_ value: inout Double) { bytes.append(littleEndian: value.bitPattern) }

    mutating func code(_ value: inout String) { write(value) }

    mutating func code(_ value: inout Data) {
        write(value.count)
        bytes += value
    }

    mutating func code(_ value: inout URL) { write(value.absoluteString) }

    mutating func code(_ fields: inout [String: String]) {
        write(fields.count)
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            write(name)
            write(value)
        }
    }

    mutating func code<Value: Recorded>(_ value: inout Value?) {
        write(value != nil)
        if var some = value { some.code(with: &self) }
    }

    mutating func code<Element: Recorded>(_ elements: inout [Element]) {
        write(elements.count)
        for var element in elements { element.code(with: &self) }
    }

    mutating func code<Value, Form: Recorded>(_ value: inout Value, as form: (Value) -> Form, _ make: (Form) -> Value?)
    {
        var form = form(value)
        form.code(with: &self)
    }

    private mutating func write(_ value: Bool) { bytes.append(value ? 1 : 0) }

    private mutating func write(_ value: String) {
        write(value.utf8.count)
        bytes += value.utf8
    }
}
