import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A piece of a WebP file: four letters, the size of what follows, and that.
struct WebPChunk {
    /// Its four letters.
    let name: String

    /// Header and payload, without the byte that pads it; cut where the file breaks off.
    let bytes: Data

    /// Whether all its bytes are there.
    let isComplete: Bool

    /// What comes after the header.
    var payload: Data { bytes.dropFirst(8) }
}

/// Reads chunks in order, those of a file or those inside another chunk.
struct WebPChunks {
    private let data: Data
    /// Where the next chunk begins; beyond `data` after one that is cut.
    private var position: Data.Index
    /// Where the last chunk ends, which may lie beyond the bytes that are there.
    private let end: Data.Index

    /// The chunks of a file.
    init(file data: Data) throws(ImageError) {
        guard data.count >= 12 else { throw .endOfWebP }
        guard ImageFormat.webp.matches(data) else {
            throw ImageError(.corrupt, .decode, "the bytes do not start as a WebP does")
        }
        self.data = data
        position = data.startIndex + 12
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
        guard position <= data.endIndex else { throw .endOfWebP }
        guard end - position >= 8 else { return nil }
        guard data.endIndex - position >= 8 else { throw .endOfWebP }
        let rest = data[position...]
        let byteCount = 8 + rest.littleEndian(at: 4, byteCount: 4)
        guard byteCount <= end - position else {
            throw ImageError(.corrupt, .decode, "a chunk of the WebP is larger than the file says it is")
        }
        let isComplete = byteCount <= rest.count
        // Some writers leave out the byte that pads the last chunk.
        position += isComplete ? min(byteCount + byteCount % 2, rest.count) : byteCount
        return WebPChunk(
            name: String(decoding: rest.prefix(4), as: UTF8.self), bytes: rest.prefix(byteCount),
            isComplete: isComplete)
    }

    /// All bytes from the start of one chunk of these to the end of another.
    func bytes(from first: WebPChunk, through last: WebPChunk) -> Data {
        data[first.bytes.startIndex..<last.bytes.endIndex]
    }
}

extension Data {
    /// A number whose lowest byte comes first; the bytes must be there.
    func littleEndian(at offset: Int, byteCount: Int) -> Int {
        (0..<byteCount).reduce(0) { $0 | Int(self[startIndex + offset + $1]) << (8 * $1) }
    }
}

extension ImageError {
    /// The bytes end before the WebP does.
    static let endOfWebP = ImageError(.incomplete, .decode, "the WebP ends too early")
}
