#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Directories of a TIFF structure, read never beyond its end (TIFF 6.0, section 2).
///
/// It follows no chain of directories: whoever asks for one names it, so that nothing can lead round in a circle.
struct TIFFFile {
    /// What an entry is about.
    struct Tag: RawRepresentable, Equatable {
        let rawValue: Int
    }

    /// How values are stored; others than these are of no use here.
    enum ValueType: Int {
        case text = 2
        case short = 3
        case long = 4
        case signedLong = 9
    }

    /// A tag and its value.
    struct Entry {
        let file: TIFFFile
        let tag: Tag

        /// Where its 12 bytes are.
        let range: Range<Int>
    }

    /// A directory names no more than this many entries that are looked at.
    private static let entryLimit = 1024

    private let bytes: [UInt8]
    private let isLittleEndian: Bool

    /// `nil` when `data` does not start as such files do.
    init?(_ data: Data) {
        switch Array(data.prefix(4)) {
        case [0x49, 0x49, 42, 0]: isLittleEndian = true
        case [0x4D, 0x4D, 0, 42]: isLittleEndian = false
        default: return nil
        }
        bytes = Array(data)
    }

    /// Where the main directory is.
    var firstDirectory: Int? { number(at: 4, byteCount: 4) }

    /// The entries that are there of the directory at `offset`.
    func directory(at offset: Int?) -> [Entry] {
        guard let offset, let count = number(at: offset, byteCount: 2) else { return [] }
        return (0..<min(count, Self.entryLimit)).lazy.map { offset + 2 + $0 * 12 }.prefix { $0 <= bytes.count - 12 }
            .compactMap { start in
                number(at: start, byteCount: 2).map {
                    Entry(file: self, tag: Tag(rawValue: $0), range: start..<(start + 12))
                }
            }
    }

    /// A number of `byteCount` bytes, at most 4; `nil` when it is not all there.
    func number(at offset: Int, byteCount: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - byteCount else { return nil }
        return (0..<byteCount).reduce(0) { number, index in
            number << 8 | Int(bytes[offset + (isLittleEndian ? byteCount - 1 - index : index)])
        }
    }

    /// `number` as `count` bytes in this file's order.
    func bytes(of number: Int, count: Int) -> [UInt8] {
        let shifts = stride(from: 0, to: count * 8, by: 8)
        let bytes = shifts.map { UInt8(truncatingIfNeeded: number >> $0) }
        return isLittleEndian ? bytes : bytes.reversed()
    }

    /// The `count` bytes at `offset`; `nil` when they are not all there.
    fileprivate func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else { return nil }
        return bytes[offset..<(offset + count)]
    }
}

extension TIFFFile.Entry {
    /// How the value is stored; `nil` when it is in another way.
    var type: TIFFFile.ValueType? {
        file.number(at: range.lowerBound + 2, byteCount: 2).flatMap(TIFFFile.ValueType.init)
    }

    /// The value when it is one number.
    var number: Int? {
        guard count == 1 else { return nil }
        return switch type {
        case .short: file.number(at: valueStart, byteCount: 2)
        case .long, .signedLong: file.number(at: valueStart, byteCount: 4)
        case .text, nil: nil
        }
    }

    /// The value when it is a text of at most 64 bytes, without what is blank round it.
    var text: ArraySlice<UInt8>? {
        // Up to four bytes stand in the entry itself.
        guard type == .text, let count, (5...64).contains(count),
            let offset = file.number(at: valueStart, byteCount: 4), let bytes = file.bytes(at: offset, count: count)
        else { return nil }
        let blank: [UInt8] = [0, UInt8(ascii: " ")]
        var text = bytes.prefix { $0 != 0 }.drop { blank.contains($0) }
        while let last = text.last, blank.contains(last) { text.removeLast() }
        return text
    }

    private var count: Int? { file.number(at: range.lowerBound + 4, byteCount: 4) }

    private var valueStart: Int { range.lowerBound + 8 }
}
