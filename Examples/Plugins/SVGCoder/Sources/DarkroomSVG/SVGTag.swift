/// The start or the end of an element, or a declaration.
struct SVGTag {
    /// The name of an element without its prefix; empty at its end.
    let name: String
    /// Whether the element ends with the tag.
    let isEmpty: Bool
    /// The index after the tag.
    let end: Int

    private let content: ArraySlice<UInt8>

    /// Reads the tag at a cursor.
    init(at cursor: SVGCursor) {
        end = cursor.endOfTag()
        let text = cursor.text[(cursor.position + 1)..<end]
        let name = text.prefix { !" \t\r\n/>".utf8.contains($0) }
        self.name = String(decoding: name.split(separator: UInt8(ascii: ":")).last ?? [], as: UTF8.self)
        isEmpty = text.dropLast().last == UInt8(ascii: "/")
        content = text[name.endIndex...]
    }

    /// The attributes in order.
    var attributes: [SVGAttribute] { SVGAttribute.list(in: content) }
}

/// An attribute of a tag.
struct SVGAttribute {
    /// The name without its prefix.
    let name: String

    private let source: ArraySlice<UInt8>

    /// Returns the attributes in the text between the name and the end of a tag.
    static func list(in text: ArraySlice<UInt8>) -> [SVGAttribute] {
        var attributes: [SVGAttribute] = []
        var rest = text
        while let attribute = SVGAttribute(removedFrom: &rest) { attributes.append(attribute) }
        return attributes
    }

    private init?(removedFrom text: inout ArraySlice<UInt8>) {
        guard let equals = text.firstIndex(of: UInt8(ascii: "=")),
            let start = text[(equals + 1)...].firstIndex(where: { !$0.isSpace }), "\"'".utf8.contains(text[start]),
            let end = text[(start + 1)...].firstIndex(of: text[start])
        else { return nil }
        let qualifiedName = text[..<equals].split(whereSeparator: \.isSpace).last ?? []
        name = String(decoding: qualifiedName.split(separator: UInt8(ascii: ":")).last ?? [], as: UTF8.self)
        source = text[(start + 1)..<end]
        text = text[(end + 1)...]
    }

    /// The value without references, and with spaces in place of tabs and line ends.
    var value: [UInt8] { source.withoutReferences(isAttribute: true) }
}
