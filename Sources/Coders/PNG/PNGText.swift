import DarkroomCore
import DarkroomPlatform

/// The keywords of text chunks that contain metadata.
private enum Keyword {
    static let xmp = Array("XML:com.adobe.xmp".utf8)
    static let comment = Array("Comment".utf8)
    /// By the convention of ImageMagick.
    static let iptc = Array("Raw profile type iptc".utf8)
}

extension EmbeddedMetadata {
    /// Adds the contents of `chunk`, which must be complete, if it is text that is metadata. Compressed text is ignored.
    mutating func read(_ chunk: PNGChunk, in file: PNGFile, limits: DecodeLimits) {
        // The text of a profile has two digits for each byte.
        guard chunk.byteCount / 3 <= limits.metadataByteCount, file.isIntact(chunk) else { return }
        let body = file[chunk.body]
        guard let end = body.prefix(80).firstIndex(of: 0) else { return }
        let (keyword, text) = (body[..<end], body[(end + 1)...])
        switch chunk.name {
        case .text where keyword.elementsEqual(Keyword.comment): add(latin1Comment: text, limits: limits)
        case .text where keyword.elementsEqual(Keyword.iptc) && iptc == nil:
            guard let bytes = text.profileBytes else { return }
            let iptc = bytes.starts(with: Array("8BIM".utf8)) ? PhotoshopResources.iptc(in: bytes) : bytes
            if let iptc { add(iptc: iptc, limits: limits) }
        case .internationalText where keyword.elementsEqual(Keyword.comment):
            if let text = text.internationalText { add(comment: text, limits: limits) }
        case .internationalText where keyword.elementsEqual(Keyword.xmp):
            if let text = text.internationalText { add(xmp: text, limits: limits) }
        default: break
        }
    }
}

extension EncodeRequest {
    /// The chunks of the metadata of the request, except Exif.
    var textChunks: Data {
        var chunks = Data()
        if let xmp { chunks.append(international: Keyword.xmp, text: xmp.data) }
        if let iptc {
            let resources = PhotoshopResources.resources(iptc: iptc)
            chunks.append(.text, body: Keyword.iptc + [0] + resources.profileText)
        }
        for comment in comments { chunks.append(international: Keyword.comment, text: Data(comment.utf8)) }
        return chunks
    }
}

extension Data {
    /// Appends a complete chunk.
    mutating func append(_ name: PNGChunkName, body: [UInt8]) {
        let named = name.bytes + body
        append(contentsOf: UInt32(body.count).bigEndianBytes + named + named.span.checksum().bigEndianBytes)
    }

    /// Appends a chunk of text that is not compressed and has no language.
    fileprivate mutating func append(international keyword: [UInt8], text: Data) {
        append(.internationalText, body: keyword + [0, 0, 0, 0, 0] + text)
    }

    /// The text of an `iTXt` chunk after its keyword; `nil` if it is compressed or invalid.
    fileprivate var internationalText: Data? {
        guard count >= 2, self[startIndex] == 0 else { return nil }
        // The language and the translated keyword end with a zero each.
        let fields = dropFirst(2)
        guard let language = fields.firstIndex(of: 0), let keyword = fields[(language + 1)...].firstIndex(of: 0) else {
            return nil
        }
        return fields[(keyword + 1)...]
    }

    /// The bytes of a profile as text: a line with its name, one with its length, and lines of hexadecimal digits.
    fileprivate var profileBytes: Data? {
        let lines = split(separator: UInt8(ascii: "\n"), maxSplits: 2)
        guard lines.count == 3 else { return nil }
        var bytes = Data(capacity: lines[2].count / 2)
        var high: UInt8?
        for character in lines[2] where ![0x20, 0x0A, 0x0D].contains(character) {
            guard let digit = character.hexDigitValue else { return nil }
            if let first = high.take() { bytes.append(first << 4 | digit) } else { high = digit }
        }
        return bytes
    }

    /// The text that `profileBytes` parses.
    fileprivate var profileText: [UInt8] {
        let length = String(count)
        var text = Array("\niptc\n\(String(repeating: " ", count: Swift.max(0, 8 - length.utf8.count)))\(length)".utf8)
        let digits = Array("0123456789abcdef".utf8)
        for (index, byte) in self.enumerated() {
            if index % 36 == 0 { text.append(UInt8(ascii: "\n")) }
            text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return text + [UInt8(ascii: "\n")]
    }
}
