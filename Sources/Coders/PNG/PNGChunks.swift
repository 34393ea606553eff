#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The chunks of a file in order, as far as they are whole. Their checksums are left to libpng.
struct PNGChunks: Sequence, IteratorProtocol {
    private let data: Data
    /// Where the next chunk starts, behind the signature at first.
    private var offset = 8

    init(_ data: Data) { self.data = data }

    mutating func next() -> (type: String, body: Data)? {
        guard offset <= data.count - 12 else { return nil }
        let start = data.startIndex + offset
        let byteCount = data[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
        guard byteCount <= data.count - 12 - offset else { return nil }
        offset += byteCount + 12
        let type = String(decoding: data[(start + 4)..<(start + 8)], as: UTF8.self)
        return (type, data[(start + 8)..<(start + 8 + byteCount)])
    }
}
