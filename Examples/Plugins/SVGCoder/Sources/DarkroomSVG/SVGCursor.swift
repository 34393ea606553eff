import DarkroomCore

/// A place in the bytes of a document, and the steps that a scan of its markup takes.
struct SVGCursor {
    /// The number of steps from one check to the next, because reading the clock takes longer than a step.
    private static let checkInterval = 256
    /// The maximum number of parts of one kind, each of which takes many times the memory of its text.
    static let partLimit = 1 << 16

    let text: [UInt8]
    var position = 0

    private let request: InfoRequest
    private var stepCount = 0

    /// Creates a cursor at the start of `text`, whose steps fail once `request` is cancelled or has exceeded its time.
    init(_ text: [UInt8], for request: InfoRequest) {
        self.text = text
        self.request = request
    }

    /// The byte at the place; `nil` at the end.
    var byte: UInt8? { position < text.count ? text[position] : nil }

    func isAt(_ start: String) -> Bool { text[position...].starts(with: start.utf8) }

    /// Counts a step of a loop. Throws if the load was cancelled or has exceeded its time.
    mutating func step() throws(ImageError) {
        if stepCount.isMultiple(of: Self.checkInterval) { try request.checkCancellation() }
        stepCount += 1
    }

    /// Refuses a count of `parts` beyond the limit.
    static func check(_ count: Int, _ parts: String) throws(ImageError) {
        guard count <= partLimit else { throw .unsupportedSVG("has more than \(partLimit) \(parts)") }
    }

    /// Moves to the next `<`, and returns whether there is one.
    mutating func moveToMarkup() throws(ImageError) -> Bool {
        try step()
        guard let next = text[position...].firstIndex(of: UInt8(ascii: "<")) else { return false }
        position = next
        return true
    }

    /// Moves behind the next occurrence of `end`, or to the end of the text.
    mutating func skip(past end: String) {
        let bytes = Array(end.utf8)
        position = text[position...].firstRange(of: bytes)?.upperBound ?? text.count
    }

    /// Moves behind a comment, a section of plain text or a processing instruction, and returns whether there is one.
    mutating func skipPlainText() -> Bool {
        for (start, end) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")] where isAt(start) {
            // The start and the end do not overlap: `<!-->` starts a comment.
            position += start.utf8.count
            skip(past: end)
            return true
        }
        return false
    }

    mutating func skipSpace() { position = text[position...].firstIndex { !$0.isSpace } ?? text.count }

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
