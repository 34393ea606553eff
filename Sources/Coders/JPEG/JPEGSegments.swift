import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The part of a file that follows a marker (ITU-T T.81, B.1.1.4).
struct JPEGSegment {
    /// The marker's second byte.
    let marker: UInt8

    /// What follows the length.
    let body: Data
}

/// Walks the segments before the first scan, as libjpeg does: bytes between them are passed over.
struct JPEGSegments {
    private var rest: Data

    /// The segments of the file that `data` is, or starts.
    init(_ data: Data) throws(ImageError) {
        guard [0xFF, 0xD8].starts(with: data.prefix(2)) else {
            throw ImageError(.corrupt, .decode, "this is no JPEG file")
        }
        rest = data.dropFirst(2)
    }

    /// The next segment; `nil` at the first scan. Throws `incomplete` when it is not all there.
    mutating func next() throws(ImageError) -> JPEGSegment? {
        switch try nextMarker() {
        case 0xDA: return nil
        case 0xD9: throw ImageError(.corrupt, .decode, "the JPEG file holds no picture")
        case let marker: return JPEGSegment(marker: marker, body: try nextBody())
        }
    }

    private mutating func nextMarker() throws(ImageError) -> UInt8 {
        while let start = rest.firstIndex(of: 0xFF) {
            rest = rest[start...].drop { $0 == 0xFF }
            guard let marker = rest.popFirst() else { break }
            // Stuffing, TEM, RST and SOI have no body.
            if marker > 0x01, !(0xD0...0xD8).contains(marker) { return marker }
        }
        throw .headerIncomplete
    }

    private mutating func nextBody() throws(ImageError) -> Data {
        guard let high = rest.popFirst(), let low = rest.popFirst() else { throw .headerIncomplete }
        // The length counts its own two bytes.
        let count = Int(high) << 8 + Int(low) - 2
        guard count >= 0 else { throw ImageError(.corrupt, .decode, "a segment of the JPEG file has no length") }
        guard count <= rest.count else { throw .headerIncomplete }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}

extension ImageError {
    fileprivate static let headerIncomplete = ImageError(
        .incomplete, .decode, "the JPEG file ends within its header")
}
