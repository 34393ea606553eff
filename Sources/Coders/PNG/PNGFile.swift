import CPNG
import DarkroomPlatform

/// The bytes of a file received so far, indexed from its start.
struct PNGFile {
    /// The bytes. They are only ever appended to.
    private(set) var data: Data

    /// Creates a file that starts with `data`.
    init(_ data: Data) { self.data = data }

    /// The number of bytes.
    var count: Int { data.count }

    /// Appends bytes that arrived.
    mutating func append(_ bytes: Data) { data.append(bytes) }

    /// The bytes of `range`, all of which must be available.
    subscript(range: Range<Int>) -> Data {
        data[(data.startIndex + range.lowerBound)..<(data.startIndex + range.upperBound)]
    }

    /// Returns the big-endian number of `byteCount` bytes at `offset`, all of which must be available.
    func number(at offset: Int, byteCount: Int = 4) -> Int {
        let bytes = data.span
        var number = 0
        for index in offset..<(offset + byteCount) { number = number << 8 | Int(bytes[index]) }
        return number
    }

    /// Returns the chunk at `offset`, or `nil` if its name has not arrived or its length is invalid.
    func chunk(at offset: Int) -> PNGChunk? {
        guard offset <= count - 8 else { return nil }
        let byteCount = number(at: offset)
        guard byteCount <= Int32.max else { return nil }
        return PNGChunk(
            name: PNGChunkName(code: UInt32(number(at: offset + 4))), start: offset, byteCount: byteCount)
    }

    /// Whether all of `chunk` has arrived.
    func isComplete(_ chunk: PNGChunk) -> Bool { chunk.end <= count }

    /// Whether the checksum of `chunk`, which must be complete, is correct.
    func isIntact(_ chunk: PNGChunk) -> Bool {
        let checksum = withBytes((chunk.start + 4)..<chunk.body.upperBound) { bytes in bytes.checksum() }
        return Int(checksum) == number(at: chunk.body.upperBound)
    }

    /// Calls `body` with the bytes of `range`, all of which must be available.
    func withBytes<Result>(_ range: Range<Int>, _ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        try body(data.span.extracting(range))
    }
}

extension Span<UInt8> {
    /// Returns the CRC-32 of a chunk, continuing from `crc`, that of the preceding bytes.
    func checksum(after crc: UInt32 = 0) -> UInt32 {
        unsafe withUnsafeBufferPointer { bytes in unsafe cpng_crc(crc, bytes.baseAddress, bytes.count) }
    }
}
