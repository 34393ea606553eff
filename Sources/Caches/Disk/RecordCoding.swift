import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An error for a file that is not an intact entry.
struct DamagedEntry: Error {}

/// Encodes a sequence of values that `RecordReader` can decode.
struct RecordWriter {
    /// The encoded bytes.
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

    mutating func write(_ value: Bool) { bytes.append(value ? 1 : 0) }

    mutating func write(_ value: Double) { bytes.append(littleEndian: value.bitPattern) }

    mutating func write(_ value: Duration) {
        write(Int(clamping: value.components.seconds))
        write(Int(clamping: value.components.attoseconds))
    }

    mutating func write(_ value: String) {
        write(value.utf8.count)
        bytes += value.utf8
    }

    mutating func write(_ value: Data) {
        write(value.count)
        bytes += value
    }

    mutating func write<Value>(_ value: Value?, _ body: (inout RecordWriter, Value) -> Void) {
        write(value != nil)
        if let value { body(&self, value) }
    }

    mutating func write<Element>(_ values: some Collection<Element>, each body: (inout RecordWriter, Element) -> Void) {
        write(values.count)
        for value in values { body(&self, value) }
    }
}

/// Decodes the output of a `RecordWriter`, and throws `DamagedEntry` for anything else.
struct RecordReader {
    /// The maximum capacity reserved in advance, because a stored count may be wrong.
    private static let reservedCount = 64

    private let bytes: [UInt8]
    private var position = 0
    private var lastURL: URL?

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether all bytes have been read.
    var isAtEnd: Bool { position == bytes.count }

    mutating func int() throws(DamagedEntry) -> Int {
        var value: UInt = 0
        for shift in stride(from: 0, to: Int.bitWidth, by: 7) {
            let byte = try self.byte()
            value |= UInt(byte & 0x7F) << shift
            if byte < 0x80 { return Int(bitPattern: value >> 1) ^ -Int(bitPattern: value & 1) }
        }
        throw DamagedEntry()
    }

    mutating func bool() throws(DamagedEntry) -> Bool { try byte() != 0 }

    mutating func double() throws(DamagedEntry) -> Double {
        let bits = try take(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Double(bitPattern: bits)
    }

    mutating func duration() throws(DamagedEntry) -> Duration {
        Duration(secondsComponent: Int64(try int()), attosecondsComponent: Int64(try int()))
    }

    mutating func string() throws(DamagedEntry) -> String { String(decoding: try take(int()), as: UTF8.self) }

    /// Reads a URL. Those of a record are usually equal, and parsing takes longer than comparing.
    mutating func url() throws(DamagedEntry) -> URL {
        let text = try string()
        if let lastURL, lastURL.absoluteString.hasBytes(of: text) { return lastURL }
        guard let url = URL(string: text) else { throw DamagedEntry() }
        lastURL = url
        return url
    }

    mutating func data() throws(DamagedEntry) -> Data { Data(try take(int())) }

    mutating func optional<Value>(
        _ body: (inout RecordReader) throws(DamagedEntry) -> Value
    ) throws(DamagedEntry) -> Value? {
        try bool() ? try body(&self) : nil
    }

    mutating func array<Element>(
        of body: (inout RecordReader) throws(DamagedEntry) -> Element
    ) throws(DamagedEntry) -> [Element] {
        let count = try count()
        var elements: [Element] = []
        elements.reserveCapacity(min(count, Self.reservedCount))
        for _ in 0..<count { elements.append(try body(&self)) }
        return elements
    }

    /// Reads a dictionary. For a repeated key, the last value counts.
    mutating func dictionary() throws(DamagedEntry) -> [String: String] {
        let count = try count()
        var values = [String: String](minimumCapacity: min(count, Self.reservedCount))
        for _ in 0..<count {
            let key = try string()
            values[key] = try string()
        }
        return values
    }

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
