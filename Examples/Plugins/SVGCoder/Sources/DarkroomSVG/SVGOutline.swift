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

    private var cursor: SVGCursor
    private let allowsImages: Bool
    private var depth = 0

    /// Returns the document without entities.
    ///
    /// - Throws: An error of kind `unsupported` for refused constructs, and `incomplete` if elements are not closed.
    static func checked(_ data: Data, allowsImages: Bool) throws(ImageError) -> [UInt8] {
        let bytes = [UInt8](data)
        try checkEncoding(of: bytes)
        let text = try SVGEntities.replaced(in: bytes)
        var outline = SVGOutline(text, allowsImages: allowsImages)
        try outline.checkTags()
        return text
    }

    private init(_ text: [UInt8], allowsImages: Bool) {
        cursor = SVGCursor(text)
        self.allowsImages = allowsImages
    }

    /// Refuses other encodings, in which this scan would not recognize tags.
    private static func checkEncoding(of text: [UInt8]) throws(ImageError) {
        let start = String(decoding: text.prefix(200), as: UTF8.self).lowercased()
        guard let declaration = start.firstRange(of: "encoding").map({ start[$0.upperBound...].prefix(20) }) else {
            guard !text.prefix(4).contains(0), !text.starts(with: [0xFE]), !text.starts(with: [0xFF]) else {
                throw .unsupportedSVG("is not written in UTF-8")
            }
            return
        }
        guard declaration.contains("utf-8") || declaration.contains("iso-8859-1") || declaration.contains("ascii")
        else { throw .unsupportedSVG("is not written in UTF-8") }
    }

    private mutating func checkTags() throws(ImageError) {
        while let next = cursor.text[cursor.position...].firstIndex(of: UInt8(ascii: "<")) {
            cursor.position = next
            if cursor.skipPlainText() { continue }
            if cursor.isAt("<!") {
                try checkDeclaration()
            } else if cursor.isAt("</") {
                depth -= 1
                cursor.skip(past: ">")
            } else {
                try checkElement()
            }
        }
        guard depth <= 0 else { throw ImageError(.incomplete, .decode, "the SVG ends before its last element") }
    }

    /// Refuses declarations outside the document type, which are no part of XML.
    private mutating func checkDeclaration() throws(ImageError) {
        let end = cursor.endOfTag()
        guard !cursor.text[cursor.position..<end].contains(UInt8(ascii: "[")) else {
            throw .unsupportedSVG("declares entities outside its document type")
        }
        cursor.position = end
    }

    private mutating func checkElement() throws(ImageError) {
        let end = cursor.endOfTag()
        let name = cursor.text[(cursor.position + 1)..<end].prefix { !" \t\r\n/>".utf8.contains($0) }
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
        if !allowsImages, local.elementsEqual("image".utf8) || local.elementsEqual("feImage".utf8) {
            throw .unsupportedSVG("contains images; allow them with SVGCoder(allowsImages: true)")
        }
        if !cursor.text[..<end].dropLast().hasSuffix(UInt8(ascii: "/")) { depth += 1 }
        guard depth <= Self.depthLimit else {
            throw .unsupportedSVG("nests elements \(depth) deep, and the limit is \(Self.depthLimit)")
        }
        cursor.position = end
    }
}

extension ArraySlice<UInt8> {
    fileprivate func hasSuffix(_ byte: UInt8) -> Bool { last == byte }
}

extension ImageError {
    /// Returns the error for a drawing that has or does `what`.
    static func unsupportedSVG(_ what: String) -> ImageError {
        ImageError(.unsupported, .decode, "the SVG \(what)")
    }
}
