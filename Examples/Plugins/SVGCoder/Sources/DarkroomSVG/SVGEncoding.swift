import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The encodings of documents that are read: UTF-8, and those that can be converted to it byte by byte.
enum SVGEncoding {
    /// Returns a document in UTF-8, with spaces in place of its declaration.
    ///
    /// librsvg then reads the text that was scanned. In other encodings, the scan would not recognize tags.
    static func text(of data: Data) throws(ImageError) -> [UInt8] {
        var text = [UInt8](data)
        let start = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        // Other encodings and compressed files are recognized by their first bytes.
        guard text[start...].first(where: { !$0.isSpace }) == UInt8(ascii: "<"), !text.prefix(4).contains(0) else {
            throw .unsupportedSVG("is not written in UTF-8")
        }
        let content = start + "<?xml".utf8.count
        guard text[start...].starts(with: "<?xml".utf8), content < text.count, text[content].isSpace,
            let end = text[content...].firstRange(of: Array("?>".utf8))
        else { return text }
        var declaration = text[content..<end.lowerBound]
        var attribute = SVGAttribute(removedFrom: &declaration)
        while let other = attribute, other.name != "encoding" { attribute = SVGAttribute(removedFrom: &declaration) }
        let encoding = attribute?.value
        for index in start..<end.upperBound { text[index] = UInt8(ascii: " ") }
        switch encoding.map({ String(decoding: $0, as: UTF8.self).lowercased() }) {
        case nil, "utf-8", "us-ascii", "ascii": return text
        case "iso-8859-1": return utf8(fromLatin1: text)
        default: throw .unsupportedSVG("is not written in UTF-8")
        }
    }

    private static func utf8(fromLatin1 text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        for byte in text {
            if byte < 0x80 {
                output.append(byte)
            } else {
                output.append(0xC0 | byte >> 6)
                output.append(0x80 | byte & 0x3F)
            }
        }
        return output
    }
}
