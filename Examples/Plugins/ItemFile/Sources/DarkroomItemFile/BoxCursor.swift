#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A box (ISO/IEC 14496-12).
struct Box {
    /// The four characters of its type.
    let type: String

    /// The bytes behind its header.
    let body: BoxCursor
}

/// A position in a part of a file of boxes, whose numbers are big-endian.
struct BoxCursor {
    private let data: Data
    private var position: Int
    private let end: Int

    /// Creates a cursor over all bytes of `data`.
    init(_ data: Data) { self.init(data, data.startIndex, data.endIndex) }

    private init(_ data: Data, _ position: Int, _ end: Int) {
        (self.data, self.position, self.end) = (data, position, end)
    }

    /// The number of bytes that are left.
    var byteCount: Int { end - position }

    /// The version of a box that has one, in its first byte; `nil` if no bytes are left.
    var version: UInt8? { rest.first }

    /// The bytes that are left.
    var rest: Data { data[position..<end] }

    /// Returns the number in the next `byteCount` bytes, at most eight; `nil` if fewer are left. That in no bytes is 0.
    mutating func number(_ byteCount: Int) -> UInt64? {
        bytes(byteCount)?.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns the next four characters; `nil` if fewer bytes are left.
    mutating func fourCharacters() -> String? { bytes(4).map { String(decoding: $0, as: UTF8.self) } }

    /// Skips `byteCount` bytes. Returns `false`, and stays, if fewer are left.
    mutating func skip(_ byteCount: Int) -> Bool { bytes(byteCount) != nil }

    /// Returns the next bytes from `offset` on, at most `byteCount`.
    func bytes(at offset: UInt64, _ byteCount: Int) -> Data {
        offset < UInt64(self.byteCount) ? rest.dropFirst(Int(offset)).prefix(byteCount) : Data()
    }

    /// Returns the next box, which is cut where these bytes end; `nil` if there is none, or its size is invalid.
    mutating func nextBox() -> Box? {
        let start = position
        guard let (type, size) = header() else { return nil }
        let left = UInt64(end - start)
        guard size == 0 || size >= UInt64(position - start) else { return nil }
        let body = BoxCursor(data, position, start + Int(size == 0 ? left : min(size, left)))
        position = body.end
        return Box(type: type, body: body)
    }

    /// Skips the header of a box, and returns its type and the size of the box, 0 if that extends to the end; `nil` if fewer
    /// bytes are left.
    mutating func header() -> (type: String, size: UInt64)? {
        guard let short = number(4), let type = fourCharacters(), let size = short == 1 ? number(8) : short,
            type != "uuid" || skip(16)
        else { return nil }
        return (type, size)
    }

    private mutating func bytes(_ byteCount: Int) -> Data? {
        guard byteCount <= end - position else { return nil }
        defer { position += byteCount }
        return data[position..<(position + byteCount)]
    }
}
