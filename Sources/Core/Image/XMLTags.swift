/// Reads the tags of an XML document one after the other, by bytes and in linear time. Their contents are not
/// interpreted.
struct XMLTags {
    /// A tag, with ranges of the document.
    struct Tag {
        /// The whole tag.
        let range: Range<Int>

        /// The name of the element, with its prefix.
        let name: Range<Int>

        /// Whether this is an end tag, and whether it is the tag of an empty element.
        let isEnd, isEmpty: Bool

        /// The attributes of a start tag.
        let attributes: [Attribute]
    }

    /// An attribute, with ranges of the document.
    struct Attribute {
        /// The whole attribute, from the spaces before it on.
        let range: Range<Int>

        /// The name with its prefix, and the value without its quotes.
        let name, value: Range<Int>
    }

    /// The document is not well formed, or declares a document type.
    struct Malformed: Error {}

    private let bytes: [UInt8]
    private var position = 0

    /// Creates a reader of `bytes`, a document in UTF-8.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the next tag; `nil` at the end. Comments, instructions and character data are skipped.
    mutating func next() throws(Malformed) -> Tag? {
        while let start = find([UInt8(ascii: "<")], from: position) {
            position = start + 1
            if skip("!--") {
                try moveBehind("-->")
            } else if skip("![CDATA[") {
                try moveBehind("]]>")
            } else if skip("?") {
                try moveBehind("?>")
            } else {
                return try tag(from: start)
            }
        }
        return nil
    }

    private mutating func tag(from start: Int) throws(Malformed) -> Tag {
        let isEnd = skip("/")
        let name = readName()
        guard !name.isEmpty else { throw Malformed() }
        var attributes: [Attribute] = []
        while true {
            let before = position
            skipSpaces()
            let isEmpty = skip("/")
            if skip(">") {
                guard !isEnd || attributes.isEmpty && !isEmpty else { throw Malformed() }
                return Tag(
                    range: start..<position, name: name, isEnd: isEnd, isEmpty: isEmpty, attributes: attributes)
            }
            guard !isEmpty, position > before else { throw Malformed() }
            attributes.append(try attribute(from: before))
        }
    }

    private mutating func attribute(from start: Int) throws(Malformed) -> Attribute {
        let name = readName()
        skipSpaces()
        guard !name.isEmpty, skip("=") else { throw Malformed() }
        skipSpaces()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'"),
            let end = find([bytes[position]], from: position + 1)
        else { throw Malformed() }
        let value = (position + 1)..<end
        position = end + 1
        return Attribute(range: start..<position, name: name, value: value)
    }

    private mutating func readName() -> Range<Int> {
        let start = position
        while position < bytes.count, !Self.delimiters.contains(bytes[position]) { position += 1 }
        return start..<position
    }

    private mutating func skipSpaces() {
        while position < bytes.count, Self.spaces.contains(bytes[position]) { position += 1 }
    }

    /// Skips `text` if it is next, and returns whether it was.
    private mutating func skip(_ text: StaticString) -> Bool {
        let text = text.bytes
        guard bytes.dropFirst(position).starts(with: text) else { return false }
        position += text.count
        return true
    }

    private mutating func moveBehind(_ text: StaticString) throws(Malformed) {
        guard let place = find(text.bytes, from: position) else { throw Malformed() }
        position = place + text.utf8CodeUnitCount
    }

    private func find(_ text: [UInt8], from start: Int) -> Int? {
        var place = start
        while place <= bytes.count - text.count {
            if bytes[place] == text[0], text.indices.allSatisfy({ bytes[place + $0] == text[$0] }) { return place }
            place += 1
        }
        return nil
    }

    private static let spaces: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
    private static let delimiters = spaces + Array("<>/=\"'!?".utf8)
}

extension StaticString {
    fileprivate var bytes: [UInt8] { withUTF8Buffer { unsafe Array($0) } }
}
