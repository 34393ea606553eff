import DarkroomCore
import DarkroomPlatform

/// A marker segment of a file (ITU-T T.81, B.1.1.4).
struct JPEGSegment {
    /// The second byte of the marker.
    let marker: UInt8

    /// The bytes after the length.
    let body: Data
}

/// Iterates over the segments before the first scan. Like libjpeg, it skips bytes between segments.
struct JPEGSegments {
    private let request: InfoRequest
    /// The offset in the file at which to continue.
    private var position = 2
    private var markerCount = 0

    /// Creates an iterator over the segments of `request.data`, a file or the start of one.
    init(_ request: InfoRequest) throws(ImageError) {
        guard [0xFF, 0xD8].starts(with: request.data.prefix(2)) else {
            throw ImageError(.corrupt, .decode, "the data is not a JPEG file")
        }
        self.request = request
    }

    /// Returns the next segment, or `nil` at the first scan.
    ///
    /// Throws `incomplete` if the segment is truncated, and `overLimit` if there are too many markers.
    mutating func next() throws(ImageError) -> JPEGSegment? {
        switch try nextMarker() {
        case 0xDA: return nil
        // An end marker may be there although the file is truncated.
        case 0xD9: throw .headerIncomplete
        case let marker: return JPEGSegment(marker: marker, body: try nextBody())
        }
    }

    private mutating func nextMarker() throws(ImageError) -> UInt8 {
        while let marker = request.data.span.marker(from: &position) {
            markerCount += 1
            try request.limits.check(segmentCount: markerCount)
            try request.checkCancellation()
            // TEM, RST and SOI have no body.
            if marker > 0x01, !(0xD0...0xD8).contains(marker) { return marker }
        }
        throw .headerIncomplete
    }

    private mutating func nextBody() throws(ImageError) -> Data {
        let bytes = request.data.span
        guard position + 2 <= bytes.count else { throw .headerIncomplete }
        // The length includes its own two bytes.
        let end = position + (Int(bytes[position]) << 8 | Int(bytes[position + 1]))
        guard end >= position + 2 else {
            throw ImageError(.corrupt, .decode, "a segment of the JPEG file has an invalid length")
        }
        guard end <= bytes.countBeforeEndMarker else { throw .headerIncomplete }
        let start = request.data.startIndex
        defer { position = end }
        return request.data[(start + position + 2)..<(start + end)]
    }
}

extension InfoRequest {
    /// Returns the offset of the marker that ends the first scan; `nil` if it has not arrived.
    func endOfFirstScan() throws(ImageError) -> Int? {
        var segments = try JPEGSegments(self)
        while try segments.next() != nil {}
        return try segments.endOfScan()
    }
}

extension JPEGSegments {
    /// Returns the offset of the marker that ends the scan before which `next()` has stopped; `nil` if it has not arrived.
    func endOfScan() throws(ImageError) -> Int? {
        let bytes = request.data.span
        guard position + 2 <= bytes.count else { return nil }
        var start = position + (Int(bytes[position]) << 8 | Int(bytes[position + 1]))
        while start + 1 < bytes.count {
            try request.checkCancellation()
            let end = min(start + 1 << 16, bytes.count - 1)
            if let marker = bytes.endOfData(in: start..<end) { return marker }
            start = end
        }
        return nil
    }
}

extension Span<UInt8> {
    /// The number of bytes before an end marker that ends them. A segment that reaches into it was cut.
    var countBeforeEndMarker: Int {
        count >= 2 && self[count - 2] == 0xFF && self[count - 1] == 0xD9 ? count - 2 : count
    }

    /// Returns the first offset in `range` of a marker that does not occur in entropy-coded data (ITU-T T.81, B.1.1.5).
    func endOfData(in range: Range<Int>) -> Int? {
        for index in range where self[index] == 0xFF {
            let code = self[index + 1]
            if code != 0, code != 0xFF, !(0xD0...0xD7).contains(code) { return index }
        }
        return nil
    }

    /// Returns the second byte of the first marker at or after `position`, which advances past it, or `nil` if there is
    /// none.
    fileprivate func marker(from position: inout Int) -> UInt8? {
        var isBehindFF = false
        while position < count {
            let byte = self[position]
            position += 1
            // A stuffed zero is data. Fill bytes precede the marker's own 0xFF.
            if isBehindFF, byte != 0, byte != 0xFF { return byte }
            isBehindFF = byte == 0xFF
        }
        return nil
    }
}

extension ImageError {
    fileprivate static let headerIncomplete = ImageError(
        .incomplete, .decode, "the JPEG file is truncated within its header")
}
