import DarkroomCore

/// A reply to a meta command: a line, and the data of a value.
struct MemcachedReply: Sendable {
    /// The first word, such as `HD`.
    let code: String
    /// The words: the code, the length of a value, and flags, each a letter and its value.
    private let words: [ArraySlice<UInt8>]
    /// The bytes of a value.
    private(set) var data: [UInt8] = []

    static let invalid = ImageError(.corrupt, .cache, "memcached has sent something other than a reply")

    private static let byteLimit = 4096

    /// Receives a reply.
    init(from socket: Socket, by end: ContinuousClock.Instant) throws(ImageError) {
        var bytes: [UInt8] = []
        var lineEnd: Int?
        while lineEnd == nil {
            guard bytes.count < Self.byteLimit else { throw Self.invalid }
            bytes += try socket.receive(by: end)
            lineEnd = bytes.firstIndex(of: 10)
        }
        guard let lineEnd, lineEnd > 0, bytes[lineEnd - 1] == 13 else { throw Self.invalid }
        words = bytes[..<(lineEnd - 1)].split(separator: UInt8(ascii: " "))
        code = words.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
        bytes.removeFirst(lineEnd + 1)
        guard code == "VA" else {
            guard bytes.isEmpty else { throw Self.invalid }
            return
        }
        guard words.count >= 2, let count = words[1].number, count <= Self.byteLimit else {
            throw Self.invalid
        }
        while bytes.count < Int(count) + 2 { bytes += try socket.receive(by: end) }
        guard bytes.count == Int(count) + 2, bytes.suffix(2) == [13, 10] else { throw Self.invalid }
        data = Array(bytes.prefix(Int(count)))
    }

    /// Returns the number of the flag `letter`; `nil` if there is none.
    func number(_ letter: Unicode.Scalar) -> UInt64? {
        words.dropFirst().first { $0.first == UInt8(ascii: letter) }?.dropFirst().number
    }
}

extension ArraySlice<UInt8> {
    /// The number whose decimal digits these bytes are.
    fileprivate var number: UInt64? {
        guard allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return UInt64(String(decoding: self, as: UTF8.self))
    }
}
