import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The offsets of the directories of a file, found before libtiff reads any of them.
///
/// libtiff keeps the values of all entries in memory, so a directory whose entries together are larger than the file, because
/// they overlap, is refused here.
struct TIFFDirectories {
    /// The offsets in order.
    private(set) var offsets: [UInt64] = []

    /// A sentence about directories that are missing; `nil` if all are there.
    private(set) var problem: String?

    private let bytes: TIFFBytes

    /// Follows the chain of directories of `request.data`. Throws if there is not even one.
    init(_ request: InfoRequest) throws {
        bytes = try TIFFBytes(request.data)
        var next = try bytes.firstDirectory()
        var seen: Set<Int> = []
        repeat {
            try request.checkCancellation()
            guard seen.insert(next).inserted else {
                problem = "the pages of the TIFF form a loop"
                break
            }
            do {
                let following = try bytes.directory(after: next, limits: request.limits)
                offsets.append(UInt64(next))
                next = following ?? 0
            } catch let error as ImageError where !offsets.isEmpty && error.kind != .overLimit {
                problem = "some pages are missing: \(error.message)"
                break
            }
            try request.limits.check(frameCount: offsets.count)
        } while next != 0
    }
}

/// The bytes of a file, whose numbers are in its byte order.
private struct TIFFBytes {
    /// The sizes of the values of the types from 1.
    private static let valueByteCounts = [1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8]

    private let data: Data
    private let isBigEndian: Bool
    /// The size of offsets: 4 bytes, or 8 in a BigTIFF.
    private let wordByteCount: Int

    init(_ data: Data) throws(ImageError) {
        guard data.count >= 8 else { throw .endOfTIFF }
        self.data = data
        isBigEndian = data.first == UInt8(ascii: "M")
        wordByteCount = ImageFormat.tiff.signatures.suffix(2).contains { $0.matches(data) } ? 8 : 4
        guard ImageFormat.tiff.matches(data) else {
            throw ImageError(.corrupt, .decode, "the file does not begin with the signature of TIFF")
        }
    }

    /// Returns the offset of the first directory.
    func firstDirectory() throws(ImageError) -> Int { try number(at: wordByteCount == 8 ? 8 : 4, wordByteCount) }

    /// Returns the offset of the directory that follows the one at `offset`; `nil` if it is the last.
    func directory(after offset: Int, limits: DecodeLimits) throws -> Int? {
        let countByteCount = wordByteCount == 8 ? 8 : 2
        let entryByteCount = 4 + 2 * wordByteCount
        let count = try number(at: offset, countByteCount)
        try limits.check(segmentCount: count)
        var valueByteCount = 0
        for index in 0..<count {
            let entry = offset + countByteCount + index * entryByteCount
            let type = try number(at: entry + 2, 2)
            let valueCount = try number(at: entry + 4, wordByteCount)
            let unit = Self.valueByteCounts.indices.contains(type - 1) ? Self.valueByteCounts[type - 1] : 0
            let (byteCount, overflow) = valueCount.multipliedReportingOverflow(by: unit)
            guard !overflow, byteCount <= data.count - valueByteCount else {
                throw ImageError(.corrupt, .decode, "a directory of the TIFF declares more bytes than the file has")
            }
            valueByteCount += byteCount
        }
        // The last directory of a damaged file may lack the end of its chain.
        let next = (try? number(at: offset + countByteCount + count * entryByteCount, wordByteCount)) ?? 0
        return next == 0 ? nil : next
    }

    private func number(at offset: Int, _ byteCount: Int) throws(ImageError) -> Int {
        guard offset >= 0, offset <= data.count - byteCount else { throw .endOfTIFF }
        let start = data.startIndex + offset
        let bytes = data[start..<(start + byteCount)]
        let number =
            isBigEndian
            ? bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) } : bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        return Int(clamping: number)
    }
}

extension ImageError {
    /// The error of a file that is too short for its directories.
    static let endOfTIFF = ImageError(.incomplete, .decode, "the TIFF ends within its header")
}
