public import DarkroomCore
public import DarkroomPlatform

/// The prefixes of metadata in application segments.
private enum Prefix {
    static let xmp = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    static let resources = Array("Photoshop 3.0\0".utf8)
}

extension EmbeddedMetadata {
    /// Adds the contents of `segment`, if it is metadata. The extensions of a long XMP packet are ignored.
    mutating func read(_ segment: JPEGSegment, limits: DecodeLimits) {
        let body = segment.body
        switch segment.marker {
        case 0xE1 where body.starts(with: Prefix.xmp): add(xmp: body.dropFirst(Prefix.xmp.count), limits: limits)
        case 0xED where body.starts(with: Prefix.resources):
            if let iptc = PhotoshopResources.iptc(in: body.dropFirst(Prefix.resources.count)) {
                add(iptc: iptc, limits: limits)
            }
        case 0xFE: add(comment: body, limits: limits)
        default: break
        }
    }
}

extension JPEGCoder {
    /// Returns `file` with the segments of the metadata behind that of JFIF.
    public func file(_ file: Data, withMetadataOf request: EncodeRequest) throws -> Data? {
        var data = file
        if let exif = request.exif {
            var segment = Data()
            try segment.append(marker: 0xE1, body: Array("Exif\0\0".utf8) + exif.data, name: "Exif")
            data.insert(contentsOf: segment, at: data.startIndex + data.span.endOfLeadingSegments)
        }
        return try request.addingMetadata(to: data)
    }
}

extension EncodeRequest {
    /// Returns `file`, which libjpeg has written, with the metadata of the request, except Exif.
    func addingMetadata(to file: Data) throws -> Data {
        var segments = Data()
        if let xmp { try segments.append(marker: 0xE1, body: Prefix.xmp + xmp.data, name: "XMP") }
        if let iptc {
            try segments.append(
                marker: 0xED, body: Prefix.resources + PhotoshopResources.resources(iptc: iptc), name: "IPTC metadata")
        }
        for comment in comments { try segments.append(marker: 0xFE, body: Array(comment.utf8), name: "a comment") }
        guard !segments.isEmpty else { return file }
        var data = file
        data.insert(contentsOf: segments, at: data.startIndex + file.span.endOfLeadingSegments)
        try check(outputByteCount: data.count)
        return data
    }
}

extension Data {
    fileprivate mutating func append(marker: UInt8, body: [UInt8], name: String) throws(ImageError) {
        let byteLimit = 65_533
        guard body.count <= byteLimit else {
            throw ImageError(
                .unsupported, .encode, "a JPEG file cannot have \(name) of \(body.count) bytes, only \(byteLimit)")
        }
        let length = body.count + 2
        append(contentsOf: [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + body)
    }
}

extension Span<UInt8> {
    /// The end of the JFIF and Exif segments at the start of the file, which must come first.
    fileprivate var endOfLeadingSegments: Int {
        var position = 2
        while position + 4 <= count, self[position] == 0xFF, [0xE0, 0xE1].contains(self[position + 1]) {
            let end = position + 2 + (Int(self[position + 2]) << 8 | Int(self[position + 3]))
            guard end <= count else { break }
            position = end
        }
        return position
    }
}
