public import DarkroomCore
public import DarkroomPlatform

extension JPEGCoder {
    /// Returns the file with its tables, scans and profile only. It is `nil` for files that many decoders reject:
    /// arithmetic, lossless, hierarchical, or of more than eight bits.
    public func fileWithoutMetadata(_ request: InfoRequest) throws -> Data? { try JPEGCopy(request).file() }
}

/// A copy of a file without metadata.
private struct JPEGCopy {
    private let request: InfoRequest
    private let bytes: [UInt8]
    /// The offset of the next marker.
    private var position = 2
    private var copy = Data([0xFF, 0xD8])

    init(_ request: InfoRequest) {
        self.request = request
        bytes = [UInt8](request.data)
        copy.reserveCapacity(bytes.count)
    }

    /// Returns the copy; `nil` if anything is unusual.
    func file() throws(ImageError) -> Data? {
        var reading = self
        guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
        while let marker = reading.marker {
            try request.checkCancellation()
            if marker == 0xD9 { return reading.copy + [0xFF, 0xD9] }
            guard try reading.copySegment(marker) else { return nil }
        }
        return nil
    }

    /// The second byte of the marker at the position, in front of which there are no other bytes.
    private var marker: UInt8? {
        position + 1 < bytes.count && bytes[position] == 0xFF ? bytes[position + 1] : nil
    }

    /// Copies the segment, and the scan that follows its header, unless it has metadata. Returns whether that was possible.
    private mutating func copySegment(_ marker: UInt8) throws(ImageError) -> Bool {
        guard position + 4 <= bytes.count else { return false }
        let end = position + 2 + (Int(bytes[position + 2]) << 8 | Int(bytes[position + 3]))
        guard end >= position + 4, end <= bytes.count else { return false }
        let segment = position..<end
        position = end
        switch marker {
        case 0xC0, 0xC1, 0xC2:
            guard segment.count > 4, bytes[segment.lowerBound + 4] == 8 else { return false }
            copy += bytes[segment]
        case 0xC4, 0xDB, 0xDC, 0xDD: copy += bytes[segment]
        case 0xDA:
            guard let scanEnd = try endOfScan() else { return false }
            copy += bytes[segment.lowerBound..<scanEnd]
            position = scanEnd
        case 0xE0...0xEF: copyApplicationSegment(marker, segment)
        case 0xFE: break
        default: return false
        }
        return true
    }

    /// Copies those that say how to show the pixels: JFIF without its preview, the profile, and that of Adobe.
    private mutating func copyApplicationSegment(_ marker: UInt8, _ segment: Range<Int>) {
        let body = bytes[segment].dropFirst(4)
        switch marker {
        case 0xE0 where body.starts(with: "JFIF\0".utf8) && body.count >= 14:
            copy += Data([0xFF, 0xE0, 0, 16]) + body.prefix(12) + Data([0, 0])
        case 0xE2 where body.starts(with: "ICC_PROFILE\0".utf8): copy += bytes[segment]
        case 0xEE where body.starts(with: "Adobe".utf8) && body.count >= 12:
            copy += Data([0xFF, 0xEE, 0, 14]) + body.prefix(12)
        default: break
        }
    }

    private func endOfScan() throws(ImageError) -> Int? {
        var start = position
        while start + 1 < bytes.count {
            try request.checkCancellation()
            let end = min(start + 1 << 16, bytes.count - 1)
            if let marker = bytes.span.endOfData(in: start..<end) { return marker }
            start = end
        }
        return nil
    }
}
