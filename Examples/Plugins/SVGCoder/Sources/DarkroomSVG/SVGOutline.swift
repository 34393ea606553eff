import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Scans the tags of a drawing before librsvg parses it, and refuses constructs whose cost is unbounded.
struct SVGOutline {
    /// The maximum nesting depth: each element may need an intermediate image for its contents.
    private static let depthLimit = 100

    private let text: [UInt8]
    private let allowsImages: Bool
    private var position = 0
    private var depth = 0

    /// Throws `unsupported` for refused constructs, and `incomplete` if elements are not closed.
    static func check(_ data: Data, allowsImages: Bool) throws(ImageError) {
        var outline = SVGOutline(text: [UInt8](data), allowsImages: allowsImages)
        try outline.checkEncoding()
        try outline.checkTags()
    }

    private init(text: [UInt8], allowsImages: Bool) {
        self.text = text
        self.allowsImages = allowsImages
    }

    /// Refuses other encodings, in which this scan would not recognize tags.
    private func checkEncoding() throws(ImageError) {
        let start = String(decoding: text.prefix(200), as: UTF8.self).lowercased()
        guard let declaration = start.firstRange(of: "encoding").map({ start[$0.upperBound...].prefix(20) }) else {
            guard !text.prefix(4).contains(0), !text.starts(with: [0xFE]), !text.starts(with: [0xFF]) else {
                throw .unsupported("is not written in UTF-8")
            }
            return
        }
        guard declaration.contains("utf-8") || declaration.contains("iso-8859-1") || declaration.contains("ascii")
        else { throw .unsupported("is not written in UTF-8") }
    }

    private mutating func checkTags() throws(ImageError) {
        while let next = text[position...].firstIndex(of: UInt8(ascii: "<")) {
            position = next
            if isAt("<!--") {
                skip(past: "-->")
            } else if isAt("<![CDATA[") {
                skip(past: "]]>")
            } else if isAt("<?") {
                skip(past: "?>")
            } else if isAt("<!") {
                try checkDeclaration()
            } else if isAt("</") {
                depth -= 1
                skip(past: ">")
            } else {
                try checkElement()
            }
        }
        guard depth <= 0 else { throw ImageError(.incomplete, .decode, "the SVG ends before its last element") }
    }

    /// Refuses entities, which can expand exponentially and hide other constructs.
    private mutating func checkDeclaration() throws(ImageError) {
        let end = endOfTag()
        guard !text[position..<end].contains(UInt8(ascii: "[")) else { throw .unsupported("declares entities") }
        position = end
    }

    private mutating func checkElement() throws(ImageError) {
        let end = endOfTag()
        let name = text[(position + 1)..<end].prefix { !" \t\r\n/>".utf8.contains($0) }
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
        if !allowsImages, local.elementsEqual("image".utf8) || local.elementsEqual("feImage".utf8) {
            throw .unsupported("contains images; allow them with SVGCoder(allowsImages: true)")
        }
        if !text[..<end].dropLast().hasSuffix(UInt8(ascii: "/")) { depth += 1 }
        guard depth <= Self.depthLimit else {
            throw .unsupported("nests elements \(depth) deep, and the limit is \(Self.depthLimit)")
        }
        position = end
    }

    /// Returns the index after the `>` that ends the tag, ignoring those in quotes.
    private func endOfTag() -> Int {
        var quote: UInt8?
        for index in position..<text.count {
            switch text[index] {
            case UInt8(ascii: ">") where quote == nil: return index + 1
            case let byte where byte == quote: quote = nil
            case UInt8(ascii: "\""), UInt8(ascii: "'"): if quote == nil { quote = text[index] }
            default: break
            }
        }
        return text.count
    }

    private func isAt(_ start: String) -> Bool { text[position...].starts(with: start.utf8) }

    private mutating func skip(past end: String) {
        let bytes = Array(end.utf8)
        position = text[position...].firstRange(of: bytes)?.upperBound ?? text.count
    }
}

extension ArraySlice<UInt8> {
    fileprivate func hasSuffix(_ byte: UInt8) -> Bool { last == byte }
}

extension ImageError {
    fileprivate static func unsupported(_ what: String) -> ImageError {
        ImageError(.unsupported, .decode, "the SVG \(what)")
    }
}
