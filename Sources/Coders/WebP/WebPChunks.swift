import DarkroomCore
import DarkroomPlatform

/// The four-letter type of a chunk.
struct WebPChunkName: Hashable, ExpressibleByStringLiteral {
    private let code: Int

    /// Creates the name whose little-endian bytes are `code`.
    init(code: Int) { self.code = code }

    /// Creates a name from four ASCII letters.
    init(stringLiteral text: String) { code = text.utf8.reversed().reduce(0) { $0 << 8 | Int($1) } }
}

/// A chunk of a WebP file: four letters, the payload size and the payload.
struct WebPChunk {
    /// The type of the chunk.
    let name: WebPChunkName

    /// The header and the available payload, without the padding byte.
    let bytes: Data

    /// The number of bytes of the complete chunk.
    let byteCount: Int

    /// Whether all bytes are available.
    var isComplete: Bool { bytes.count == byteCount }

    /// The bytes after the header.
    var payload: Data { bytes.dropFirst(8) }
}

/// Iterates over the chunks of a file, or over those inside another chunk.
struct WebPChunks {
    private let data: Data
    /// The position of the next chunk.
    private(set) var position: Data.Index
    private var isTruncated = false
    /// The end of the last chunk, which may lie beyond the available bytes.
    private let end: Data.Index

    /// Creates an iterator over the chunks of a file, starting at `position` if given.
    init(file data: Data, from position: Data.Index? = nil) throws(ImageError) {
        guard data.count >= 12 else { throw .truncatedWebP }
        guard ImageFormat.webp.matches(data) else {
            throw ImageError(.corrupt, .decode, "the data does not start with a WebP signature")
        }
        self.data = data
        self.position = position ?? data.startIndex + 12
        end = data.startIndex + 8 + data.littleEndian(at: 4, byteCount: 4)
    }

    /// Creates an iterator over the chunks inside a complete chunk with payload `data`.
    init(inside data: Data) {
        self.data = data
        position = data.startIndex
        end = data.endIndex
    }

    /// Returns the next chunk, or `nil` after the last. Throws `incomplete` if the file ends before or inside its
    /// header.
    mutating func next() throws(ImageError) -> WebPChunk? {
        guard isTruncated || end - position >= 8 else { return nil }
        guard !isTruncated, data.endIndex - position >= 8 else { throw .truncatedWebP }
        let rest = data[position...]
        let byteCount = 8 + rest.littleEndian(at: 4, byteCount: 4)
        guard byteCount <= end - position else {
            throw ImageError(.corrupt, .decode, "a chunk of the WebP extends beyond the declared file size")
        }
        isTruncated = byteCount > rest.count
        // Some writers omit the padding byte of the last chunk: the position then lies beyond the end.
        position += byteCount + byteCount % 2
        return WebPChunk(
            name: WebPChunkName(code: rest.littleEndian(at: 0, byteCount: 4)), bytes: rest.prefix(byteCount),
            byteCount: byteCount)
    }

    /// Returns the available bytes from the start of one chunk to the end of another.
    func bytes(from first: WebPChunk, through last: WebPChunk) -> Data {
        data[first.bytes.startIndex..<last.bytes.endIndex]
    }
}

extension Data {
    /// Returns the little-endian number at `offset`. Its bytes must be available.
    func littleEndian(at offset: Int, byteCount: Int) -> Int {
        let bytes = span
        return (0..<byteCount).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
}

extension ImageError {
    /// The data ends before the WebP does.
    static let truncatedWebP = ImageError(.incomplete, .decode, "the WebP is truncated")
}
