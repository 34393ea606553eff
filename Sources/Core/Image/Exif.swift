#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a camera says of a picture: a TIFF structure, read within bounds.
public struct Exif: Hashable, Sendable, Codable {
    /// The TIFF structure, without the marker `Exif\0\0` that JPEG puts before it.
    public let data: Data

    /// How the stored picture is turned upright; upright when nothing is said, or the structure is broken.
    public let orientation: Orientation

    /// Reads `data`, a TIFF structure with or without `Exif\0\0` before it; it never fails, and never loops.
    public init(_ data: Data) {
        let marker = Array("Exif\0\0".utf8)
        self.data = data.starts(with: marker) ? Data(data.dropFirst(marker.count)) : data
        orientation = TIFFReader(self.data)?.orientation ?? .up
    }

    /// The same structure, which says that the picture is upright.
    public var upright: Exif { self }
}

/// Reads the first directory of a TIFF structure, never beyond its end (TIFF 6.0, section 2).
private struct TIFFReader {
    private let bytes: [UInt8]
    private let isLittleEndian: Bool

    init?(_ data: Data) {
        bytes = Array(data)
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
