import DarkroomPlatform

/// The message is none that the other process may send.
struct MalformedMessage: Error {}

/// Reads a message of another process, which may be hostile.
struct MessageReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether all of the message was read.
    var isAtEnd: Bool { position == bytes.count }

    mutating func integer<Value: FixedWidthInteger>(_: Value.Type = Value.self) throws(MalformedMessage) -> Value {
        let count = MemoryLayout<Value>.size
        guard bytes.count - position >= count else { throw MalformedMessage() }
        defer { position += count }
        return bytes[position..<position + count].reversed().reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
    }

    mutating func int() throws(MalformedMessage) -> Int { try integer() }

    /// Reads an integer that is not negative.
    mutating func count() throws(MalformedMessage) -> Int {
        let count = try int()
        guard count >= 0 else { throw MalformedMessage() }
        return count
    }

    mutating func bool() throws(MalformedMessage) -> Bool {
        switch try integer(UInt8.self) {
        case 0: false
        case 1: true
        default: throw MalformedMessage()
        }
    }

    mutating func double() throws(MalformedMessage) -> Double { Double(bitPattern: try integer()) }

    mutating func duration() throws(MalformedMessage) -> Duration {
        Duration(secondsComponent: try integer(), attosecondsComponent: try integer())
    }

    private mutating func slice() throws(MalformedMessage) -> ArraySlice<UInt8> {
        let count = try count()
        guard count <= bytes.count - position else { throw MalformedMessage() }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func string() throws(MalformedMessage) -> String { String(decoding: try slice(), as: UTF8.self) }

    mutating func data() throws(MalformedMessage) -> Data { Data(try slice()) }

    mutating func optional<Value>(
        _ read: (inout Self) throws(MalformedMessage) -> Value
    ) throws(MalformedMessage) -> Value? { try bool() ? try read(&self) : nil }

    /// Reads a list of at most `limit` values, each of which has at least `byteCount` bytes.
    mutating func list<Value>(
        byteCount: Int, limit: Int = .max, _ read: (inout Self) throws(MalformedMessage) -> Value
    ) throws(MalformedMessage) -> [Value] {
        let count = try count()
        guard count <= min(limit, (bytes.count - position) / byteCount) else { throw MalformedMessage() }
        var values: [Value] = []
        for _ in 0..<count { values.append(try read(&self)) }
        return values
    }
}
