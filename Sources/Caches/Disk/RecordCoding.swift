#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Bytes that do not say what an entry must say.
struct DamagedEntry: Error {}

/// Writes values one behind the other, each so that `RecordReader` knows where it ends.
struct RecordWriter {
    /// What was written.
    private(set) var bytes: [UInt8] = []

    /// Small numbers of either sign take few bytes: seven bits each, the lowest first, the sign in the lowest of all.
    mutating func write(_ value: Int) {
        var rest = UInt(bitPattern: (value << 1) ^ (value >> (Int.bitWidth - 1)))
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func write(_ value: Bool) { bytes.append(value ? 1 : 0) }

    mutating func write(_ value: Double) {
        bytes += stride(from: 0, to: 64, by: 8).map { UInt8(truncatingIfNeeded: value.bitPattern >> $0) }
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

/// Reads what a `RecordWriter` wrote, and throws `DamagedEntry` at anything else.
struct RecordReader {
    /// Room for more is only made when more is there: what is read may lie.
    private static let reservedCount = 64

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether nothing is left.
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

    mutating func string() throws(DamagedEntry) -> String { String(decoding: try take(int()), as: UTF8.self) }

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

    /// Of two values of one key, the later one counts.
    mutating func dictionary() throws(DamagedEntry) -> [String: String] {
        let count = try count()
        var values = [String: String](minimumCapacity: min(count, Self.reservedCount))
        for _ in 0..<count {
            let key = try string()
            values[key] = try string()
        }
        return values
    }

    /// Every element takes a byte at least, so a larger count is a lie.
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
