/// A place in the bytes of a document, and the steps that a scan of its markup takes.
struct SVGCursor {
    let text: [UInt8]
    var position = 0

    init(_ text: [UInt8]) { self.text = text }

    /// The byte at the place; `nil` at the end.
    var byte: UInt8? { position < text.count ? text[position] : nil }

    func isAt(_ start: String) -> Bool { text[position...].starts(with: start.utf8) }

    /// Moves behind the next occurrence of `end`, or to the end of the text.
    mutating func skip(past end: String) {
        let bytes = Array(end.utf8)
        position = text[position...].firstRange(of: bytes)?.upperBound ?? text.count
    }

    /// Moves behind a comment, a section of plain text or a processing instruction, and returns whether there is one.
    mutating func skipPlainText() -> Bool {
        for (start, end) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")] where isAt(start) {
            skip(past: end)
            return true
        }
        return false
    }

    mutating func skipSpace() {
        position = text[position...].firstIndex { !" \t\r\n".utf8.contains($0) } ?? text.count
    }

    /// Returns the index after the `>` that ends the tag, ignoring those in quotes.
    func endOfTag() -> Int {
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
}
