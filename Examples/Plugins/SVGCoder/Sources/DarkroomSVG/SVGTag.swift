/// The start or the end of an element, or a declaration.
struct SVGTag {
    /// The name of an element without its prefix; empty at its end.
    let name: String
    /// Whether the element ends with the tag.
    let isEmpty: Bool
    /// The index after the tag.
    let end: Int

    /// The text between the name and the end, which contains the attributes.
    let content: ArraySlice<UInt8>

    /// Reads the tag at a cursor.
    init(at cursor: SVGCursor) {
        end = cursor.endOfTag()
        let text = cursor.text[(cursor.position + 1)..<end]
        let name = text.prefix { !" \t\r\n/>".utf8.contains($0) }
        self.name = name.localName
        isEmpty = text.dropLast().last == UInt8(ascii: "/")
        content = text[name.endIndex...]
    }
}

/// An attribute of a tag.
struct SVGAttribute {
    /// The name without its prefix.
    let name: String

    private let source: ArraySlice<UInt8>

    /// Reads the first attribute in the content of a tag, and removes it from that; `nil` at the end.
    init?(removedFrom text: inout ArraySlice<UInt8>) {
        guard let equals = text.firstIndex(of: UInt8(ascii: "=")),
            let start = text[(equals + 1)...].firstIndex(where: { !$0.isSpace }), "\"'".utf8.contains(text[start]),
            let end = text[(start + 1)...].firstIndex(of: text[start])
        else { return nil }
        let nameEnd = text[..<equals].lastIndex { !$0.isSpace }.map { $0 + 1 } ?? equals
        let nameStart = text[..<nameEnd].lastIndex(where: \.isSpace).map { $0 + 1 } ?? text.startIndex
        name = text[nameStart..<nameEnd].localName
        source = text[(start + 1)..<end]
        text = text[(end + 1)...]
    }

    /// The value without references, and with spaces in place of tabs and line ends.
    var value: [UInt8] { source.withoutReferences(isAttribute: true) }
}

extension ArraySlice<UInt8> {
    /// A name without its prefix.
    fileprivate var localName: String {
        let start = lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? startIndex
        return String(decoding: self[start...], as: UTF8.self)
    }
}
