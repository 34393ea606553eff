import CPNG

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The bytes of a file, as far as they have come, counted from its start.
struct PNGFile {
    /// The bytes, which only ever grow.
    private(set) var data: Data

    /// The file that starts with `data`.
    init(_ data: Data) { self.data = data }

    /// How many bytes there are.
    var count: Int { data.count }

    /// Adds bytes that came.
    mutating func append(_ bytes: Data) { data.append(bytes) }

    /// The bytes of `range`, which are all there.
    subscript(range: Range<Int>) -> Data {
        data[(data.startIndex + range.lowerBound)..<(data.startIndex + range.upperBound)]
    }

    /// The big-endian number of `byteCount` bytes at `offset`, which are all there.
    func number(at offset: Int, byteCount: Int = 4) -> Int {
        let bytes = data.span
        var number = 0
        for index in offset..<(offset + byteCount) { number = number << 8 | Int(bytes[index]) }
        return number
    }

    /// The chunk that starts at `offset`; `nil` when its name is not there, or it is longer than chunks can be.
    func chunk(at offset: Int) -> PNGChunk? {
        guard offset <= count - 8 else { return nil }
        let byteCount = number(at: offset)
        guard byteCount <= Int32.max else { return nil }
        return PNGChunk(
            name: PNGChunkName(code: UInt32(number(at: offset + 4))), start: offset, byteCount: byteCount)
    }

    /// Whether all of `chunk` is there.
    func isWhole(_ chunk: PNGChunk) -> Bool { chunk.end <= count }

    /// Whether `chunk`, which is whole, is what was written.
    func isIntact(_ chunk: PNGChunk) -> Bool {
        let checksum = withBytes((chunk.start + 4)..<chunk.body.upperBound) { bytes in bytes.checksum() }
        return Int(checksum) == number(at: chunk.body.upperBound)
    }

    /// Lends the bytes of `range`, which are all there.
    func withBytes<Result>(_ range: Range<Int>, _ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        try body(data.span.extracting(range))
    }
}

extension Span<UInt8> {
    /// The checksum that chunks end with, continued from that of the bytes before.
    func checksum(after crc: UInt32 = 0) -> UInt32 {
        unsafe withUnsafeBufferPointer { bytes in unsafe cpng_crc(crc, bytes.baseAddress, bytes.count) }
    }
}
