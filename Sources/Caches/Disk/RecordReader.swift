import DarkroomCore
import DarkroomPlatform

/// An error for a file that is not an intact entry.
struct DamagedEntry: Error {}

/// Reads the output of a `RecordWriter`, and throws `DamagedEntry` for anything else.
struct RecordReader: RecordCoder {
    typealias Failure = DamagedEntry

    /// The maximum capacity reserved in advance, because a stored count may be wrong.
    private static let reservedCount = 64

    private let bytes: [UInt8]
    private var position = 0
    private var lastURL: URL?

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether all bytes have been read.
    var isAtEnd: Bool { position == bytes.count }

    /// Reads a value.
    mutating func value<Value: Recorded>(_ type: Value.Type = Value.self) throws(DamagedEntry) -> Value {
        var value = Value.blank
        try value.code(with: &self)
        return value
    }

    mutating func code(_ value: inout Int) throws(DamagedEntry) { value = try int() }

    mutating func code(_ value: inout Bool) throws(DamagedEntry) { value = try bool() }

    mutating func code(_ value: inout Double) throws(DamagedEntry) {
        let bits = try take(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        value = Double(bitPattern: bits)
    }

    mutating func code(_ value: inout String) throws(DamagedEntry) { value = try string() }

    mutating func code(_ value: inout Data) throws(DamagedEntry) { value = Data(try take(int())) }

    /// Reads a URL. Those of a record are usually equal, and parsing takes longer than comparing.
    mutating func code(_ value: inout URL) throws(DamagedEntry) {
        let text = try string()
        if let lastURL, lastURL.absoluteString.hasBytes(of: text) {
            value = lastURL
            return
        }
        guard let url = URL(string: text) else { throw DamagedEntry() }
        (value, lastURL) = (url, url)
    }

    /// Reads a dictionary. For a repeated key, the last value counts.
    mutating func code(_ fields: inout [String: String]) throws(DamagedEntry) {
        let count = try count()
        fields = [String: String](minimumCapacity: min(count, Self.reservedCount))
        for _ in 0..<count {
            let name = try string()
            fields[name] = try string()
        }
    }

    mutating func code<Value: Recorded>(_ value: inout Value?) throws(DamagedEntry) {
        // Inferred, the type would be that of the optional.
        value = try bool() ? try self.value(Value.self) : nil
    }

    mutating func code<Element: Recorded>(_ elements: inout [Element]) throws(DamagedEntry) {
        let count = try count()
        elements = []
        elements.reserveCapacity(min(count, Self.reservedCount))
        for _ in 0..<count { elements.append(try value()) }
    }

    mutating func code<Value, Form: Recorded>(
        _ value: inout Value, as form: (Value) -> Form, _ make: (Form) -> Value?
    ) throws(DamagedEntry) {
        guard let made = make(try self.value()) else { throw DamagedEntry() }
        value = made
    }

    private mutating func int() throws(DamagedEntry) -> Int {
        var value: UInt = 0
        for shift in stride(from: 0, to: Int.bitWidth, by: 7) {
            let byte = try self.byte()
            value |= UInt(byte & 0x7F) << shift
            if byte < 0x80 { return Int(bitPattern: value >> 1) ^ -Int(bitPattern: value & 1) }
        }
        throw DamagedEntry()
    }

    private mutating func bool() throws(DamagedEntry) -> Bool { try byte() != 0 }

    private mutating func string() throws(DamagedEntry) -> String { String(decoding: try take(int()), as: UTF8.self) }

    /// Reads a count. Every element takes at least one byte, so a larger count is invalid.
    private mutating func count() throws(DamagedEntry) -> Int {
        let count = try int()
        guard count >= 0, count <= bytes.count - position else { throw DamagedEntry() }
        return count
    }

    private mutating func byte() throws(DamagedEntry) -> UInt8 {
        guard position < bytes.count else { throw DamagedEntry() }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func take(_ count: Int) throws(DamagedEntry) -> ArraySlice<UInt8> {
        guard count >= 0, count <= bytes.count - position else { throw DamagedEntry() }
        defer { position += count }
        return bytes[position..<(position + count)]
    }
}
