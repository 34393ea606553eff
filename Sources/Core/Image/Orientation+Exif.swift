#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Orientation {
    /// The orientation in `exif`, a TIFF structure as Exif has it, with or without `Exif\0\0` before it.
    ///
    /// Upright when there is none or the structure is broken. Only the first directory is read, so that loops cannot matter.
    public init(exif: Data) {
        self = TIFFReader(exif)?.orientation ?? .up
    }
}

/// Reads the first directory of a TIFF structure, never beyond its end (TIFF 6.0, section 2).
private struct TIFFReader {
    private let bytes: [UInt8]
    private let isLittleEndian: Bool

    init?(_ data: Data) {
        let marker = Array("Exif\0\0".utf8)
        bytes = Array(data.starts(with: marker) ? data.dropFirst(marker.count) : data)
        switch bytes.prefix(4) {
        case [0x49, 0x49, 42, 0]: isLittleEndian = true
        case [0x4D, 0x4D, 0, 42]: isLittleEndian = false
        default: return nil
        }
    }

    var orientation: Orientation? {
        guard let directory = integer(at: 4, byteCount: 4), let count = integer(at: directory, byteCount: 2) else {
            return nil
        }
        for index in 0..<count {
            let entry = directory + 2 + index * 12
            guard let tag = integer(at: entry, byteCount: 2) else { return nil }
            guard tag == 0x0112 else { continue }
            // Type 3, one 16-bit number, stands in the first bytes of the value.
            guard integer(at: entry + 2, byteCount: 2) == 3, integer(at: entry + 4, byteCount: 4) == 1 else {
                return nil
            }
            return integer(at: entry + 8, byteCount: 2).map(Orientation.init(tag:))
        }
        return nil
    }

    private func integer(at offset: Int, byteCount: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - byteCount else { return nil }
        let digits = bytes[offset..<(offset + byteCount)]
        return (isLittleEndian ? Array(digits.reversed()) : Array(digits)).reduce(0) { $0 << 8 | Int($1) }
    }
}
