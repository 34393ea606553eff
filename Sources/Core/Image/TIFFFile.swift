import DarkroomPlatform

/// A parser of the directories of a TIFF structure, which never reads beyond its end (TIFF 6.0, section 2).
///
/// It does not follow chains of directories, so that no file can make it loop: the caller names each directory to read.
struct TIFFFile {
    /// The tag of an entry, which identifies its meaning.
    struct Tag: RawRepresentable, Equatable {
        let rawValue: Int
    }

    /// The types of values that are read. All others are ignored.
    enum ValueType: Int {
        case text = 2
        case short = 3
        case long = 4
        case signedLong = 9
    }

    /// An entry of a directory: a tag and its value.
    struct Entry {
        let file: TIFFFile
        let tag: Tag

        /// The range of its 12 bytes.
        let range: Range<Int>
    }

    /// The maximum number of entries of a directory that are read.
    private static let entryLimit = 1024

    private let bytes: [UInt8]
    private let isLittleEndian: Bool

    /// Creates a parser of `data`; `nil` if it does not start with a TIFF header.
    init?(_ data: Data) {
        switch Array(data.prefix(4)) {
        case [0x49, 0x49, 42, 0]: isLittleEndian = true
        case [0x4D, 0x4D, 0, 42]: isLittleEndian = false
        default: return nil
        }
        bytes = Array(data)
    }

    /// The number of bytes.
    var byteCount: Int { bytes.count }

    /// Returns the header of a file in the same byte order, whose main directory is at the offset `firstDirectory`.
    func header(firstDirectory: Int) -> [UInt8] {
        (isLittleEndian ? [0x49, 0x49] : [0x4D, 0x4D]) + bytes(of: 42, count: 2) + bytes(of: firstDirectory, count: 4)
    }

    /// The offset of the main directory.
    var firstDirectory: Int? { number(at: 4, byteCount: 4) }

    /// Returns the entries of the directory at `offset`. Entries beyond the end of the data are omitted.
    func directory(at offset: Int?) -> [Entry] {
        guard let offset, let count = number(at: offset, byteCount: 2) else { return [] }
        return (0..<min(count, Self.entryLimit)).lazy.map { offset + 2 + $0 * 12 }.prefix { $0 <= bytes.count - 12 }
            .compactMap { start in
                number(at: start, byteCount: 2).map {
                    Entry(file: self, tag: Tag(rawValue: $0), range: start..<(start + 12))
                }
            }
    }

    /// Returns the entries of the directory at `offset`; `nil` if it exceeds the data or the limit.
    func wholeDirectory(at offset: Int?) -> [Entry]? {
        guard let offset, let count = number(at: offset, byteCount: 2), count <= Self.entryLimit,
            offset + 2 + 12 * count <= bytes.count
        else { return nil }
        return directory(at: offset)
    }

    /// Returns the number at `offset` of `byteCount` bytes, at most 4; `nil` if it exceeds the data.
    func number(at offset: Int, byteCount: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - byteCount else { return nil }
        return (0..<byteCount).reduce(0) { number, index in
            number << 8 | Int(bytes[offset + (isLittleEndian ? byteCount - 1 - index : index)])
        }
    }

    /// Returns `number` as `count` bytes in the byte order of this file.
    func bytes(of number: Int, count: Int) -> [UInt8] {
        let shifts = stride(from: 0, to: count * 8, by: 8)
        let bytes = shifts.map { UInt8(truncatingIfNeeded: number >> $0) }
        return isLittleEndian ? bytes : bytes.reversed()
    }

    /// Returns the `count` bytes at `offset`; `nil` if they exceed the data.
    fileprivate func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else { return nil }
        return bytes[offset..<(offset + count)]
    }
}

extension TIFFFile.Entry {
    /// The type of the value; `nil` if it is not supported.
    var type: TIFFFile.ValueType? {
        file.number(at: range.lowerBound + 2, byteCount: 2).flatMap(TIFFFile.ValueType.init)
    }

    /// The value, if it is a single number.
    var number: Int? {
        guard count == 1 else { return nil }
        return switch type {
        case .short: file.number(at: valueStart, byteCount: 2)
        case .long, .signedLong: file.number(at: valueStart, byteCount: 4)
        case .text, nil: nil
        }
    }

    /// The value, if it is a text of 5 to 64 bytes, without surrounding blanks.
    var text: ArraySlice<UInt8>? {
        // Shorter texts are stored in the entry itself, and are of no use here.
        guard type == .text, let count, (5...64).contains(count),
            let offset = file.number(at: valueStart, byteCount: 4), let bytes = file.bytes(at: offset, count: count)
        else { return nil }
        let blank: [UInt8] = [0, UInt8(ascii: " ")]
        var text = bytes.prefix { $0 != 0 }.drop { blank.contains($0) }
        while let last = text.last, blank.contains(last) { text.removeLast() }
        return text
    }

    /// The code of the type, the number of values, and their bytes; `nil` if the type is unknown, or they exceed the data.
    var value: (type: Int, count: Int, bytes: ArraySlice<UInt8>)? {
        // BYTE, ASCII, SHORT, LONG, RATIONAL and so on, from 1; Exif 3.0 adds UTF-8 as 129.
        let byteCounts = [1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
        guard let type = file.number(at: range.lowerBound + 2, byteCount: 2), let count,
            let unit = type == 129 ? 1 : byteCounts.indices.contains(type - 1) ? byteCounts[type - 1] : nil
        else { return nil }
        let byteCount = count * unit
        let offset = byteCount <= 4 ? valueStart : file.number(at: valueStart, byteCount: 4)
        guard let offset, let bytes = file.bytes(at: offset, count: byteCount) else { return nil }
        return (type, count, bytes)
    }

    private var count: Int? { file.number(at: range.lowerBound + 4, byteCount: 4) }

    private var valueStart: Int { range.lowerBound + 8 }
}
