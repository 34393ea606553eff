import DarkroomCore

/// A reply to a meta command: a line, and the data of a value.
struct MemcachedReply: Sendable {
    /// The first word, such as `HD`.
    let code: String
    /// The other words: flags, each a letter and its value.
    private let words: [Substring]
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
        words = String(decoding: bytes[..<(lineEnd - 1)], as: UTF8.self).split(separator: " ")
        code = words.first.map(String.init) ?? ""
        bytes.removeFirst(lineEnd + 1)
        guard code == "VA" else {
            guard bytes.isEmpty else { throw Self.invalid }
            return
        }
        guard words.count >= 2, let count = Int(words[1]), (0...Self.byteLimit).contains(count) else {
            throw Self.invalid
        }
        while bytes.count < count + 2 { bytes += try socket.receive(by: end) }
        guard bytes.count == count + 2, bytes.suffix(2) == [13, 10] else { throw Self.invalid }
        data = Array(bytes.prefix(count))
    }

    /// Returns the value of the flag `letter`; `nil` if there is none.
    func flag(_ letter: Character) -> Substring? {
        words.dropFirst().first { $0.first == letter }?.dropFirst()
    }
}
