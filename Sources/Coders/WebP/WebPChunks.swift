import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The four letters that say what a chunk is.
struct WebPChunkName: Hashable, ExpressibleByStringLiteral {
    private let code: Int

    /// The name whose little-endian bytes are `code`.
    init(code: Int) { self.code = code }

    /// A name of four ASCII letters.
    init(stringLiteral text: String) { code = text.utf8.reversed().reduce(0) { $0 << 8 | Int($1) } }
}

/// A piece of a WebP file: four letters, the size of what follows, and that.
struct WebPChunk {
    /// What it is.
    let name: WebPChunkName

    /// Header and payload, without the byte that pads it; cut where the file breaks off.
    let bytes: Data

    /// How many bytes there are in a file that is not cut.
    let byteCount: Int

    /// Whether all its bytes are there.
    var isComplete: Bool { bytes.count == byteCount }

    /// What comes after the header.
    var payload: Data { bytes.dropFirst(8) }
}

/// Reads chunks in order, those of a file or those inside another chunk.
struct WebPChunks {
    private let data: Data
    /// Where the next chunk begins.
    private(set) var position: Data.Index
    private var isCut = false
    /// Where the last chunk ends, which may lie beyond the bytes that are there.
    private let end: Data.Index

    /// The chunks of a file; those from `position` on, if that is given.
    init(file data: Data, from position: Data.Index? = nil) throws(ImageError) {
        guard data.count >= 12 else { throw .endOfWebP }
        guard ImageFormat.webp.matches(data) else {
            throw ImageError(.corrupt, .decode, "the bytes do not start as a WebP does")
        }
        self.data = data
        self.position = position ?? data.startIndex + 12
        end = data.startIndex + 8 + data.littleEndian(at: 4, byteCount: 4)
    }

    /// The chunks inside a complete chunk, whose bytes they are.
    init(inside data: Data) {
        self.data = data
        position = data.startIndex
        end = data.endIndex
    }

    /// The next chunk, `nil` after the last; throws `incomplete` where the file breaks off before or in its header.
    mutating func next() throws(ImageError) -> WebPChunk? {
        guard isCut || end - position >= 8 else { return nil }
        guard !isCut, data.endIndex - position >= 8 else { throw .endOfWebP }
        let rest = data[position...]
        let byteCount = 8 + rest.littleEndian(at: 4, byteCount: 4)
        guard byteCount <= end - position else {
            throw ImageError(.corrupt, .decode, "a chunk of the WebP is larger than the file says it is")
        }
        isCut = byteCount > rest.count
        // Some writers leave out the byte that pads the last chunk: then this is beyond the end.
        position += byteCount + byteCount % 2
        return WebPChunk(
            name: WebPChunkName(code: rest.littleEndian(at: 0, byteCount: 4)), bytes: rest.prefix(byteCount),
            byteCount: byteCount)
    }

    /// The bytes that are there from the start of one chunk of these to the end of another.
    func bytes(from first: WebPChunk, through last: WebPChunk) -> Data {
        data[first.bytes.startIndex..<last.bytes.endIndex]
    }
}

extension Data {
    /// A number whose lowest byte comes first; the bytes must be there.
    func littleEndian(at offset: Int, byteCount: Int) -> Int {
        let bytes = span
        return (0..<byteCount).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
}

extension ImageError {
    /// The bytes end before the WebP does.
    static let endOfWebP = ImageError(.incomplete, .decode, "the WebP ends too early")
}
