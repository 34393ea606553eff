import DarkroomCore

/// The entities that a document declares, as editors do for namespaces.
///
/// They are replaced before anything else reads the drawing, so that they hide nothing from the scan, and expand within
/// bounds. An external entity is empty, because nothing outside the file is read.
struct SVGEntities {
    /// The maximum growth of a document in bytes.
    private static let growthLimit = 1 << 20
    /// The maximum depth of entities within entities.
    private static let depthLimit = 8
    private static let countLimit = 1000
    /// The maximum length of a name. Longer ones are not replaced, so that librsvg refuses them.
    private static let nameLimit = 100

    private let request: InfoRequest
    private var values: [[UInt8]: [UInt8]] = [:]
    /// The length of the longest name that is replaced.
    private var longestName = 0

    private init(_ request: InfoRequest) { self.request = request }

    /// Returns the document with its entities replaced and without their declarations; `text` itself if there are none.
    ///
    /// - Throws: An error of kind `unsupported` beyond the bounds, and for entities within declarations.
    static func replaced(in text: [UInt8], for request: InfoRequest) throws(ImageError) -> [UInt8] {
        var cursor = SVGCursor(text, for: request)
        if cursor.isAt("\u{FEFF}") { cursor.position += 3 }
        repeat {
            try cursor.step()
            cursor.skipSpace()
        } while cursor.skipPlainText()
        let start = cursor.position
        guard cursor.isAt("<!DOCTYPE"),
            let bracket = text[start..<cursor.endOfTag()].firstIndex(of: UInt8(ascii: "["))
        else { return text }
        cursor.position = bracket + 1
        var entities = SVGEntities(request)
        try entities.read(&cursor)
        return try entities.replace(in: Array(text[..<start] + text[cursor.position...]))
    }

    /// Reads the declarations up to the end of the document type.
    private mutating func read(_ cursor: inout SVGCursor) throws(ImageError) {
        while true {
            try cursor.step()
            cursor.skipSpace()
            if cursor.skipPlainText() { continue }
            if cursor.isAt("<!ENTITY") {
                try readEntity(&cursor)
            } else if cursor.isAt("<!") {
                cursor.position = cursor.endOfTag()
            } else if cursor.byte == UInt8(ascii: "]") {
                return cursor.position = cursor.endOfTag()
            } else if cursor.byte == nil {
                throw ImageError(.incomplete, .decode, "the SVG ends within its document type")
            } else {
                throw .unsupportedSVG("has entities within its declarations")
            }
        }
    }

    private mutating func readEntity(_ cursor: inout SVGCursor) throws(ImageError) {
        let end = cursor.endOfTag()
        cursor.position += "<!ENTITY".utf8.count
        cursor.skipSpace()
        let name = Array(cursor.text[cursor.position..<end].prefix { !" \t\r\n>".utf8.contains($0) })
        guard name != Array("%".utf8) else { throw .unsupportedSVG("has entities within its declarations") }
        cursor.position += name.count
        cursor.skipSpace()
        var value: [UInt8] = []
        if let quote = cursor.byte, "\"'".utf8.contains(quote), cursor.position < end {
            value = Array(cursor.text[(cursor.position + 1)..<end].prefix { $0 != quote })
        }
        cursor.position = end
        // The first declaration counts. Those of XML itself may be repeated.
        let isKnown = values[name] != nil || ["amp", "lt", "gt", "quot", "apos"].contains { name == Array($0.utf8) }
        if !isKnown {
            values[name] = value
            if name.count <= Self.nameLimit { longestName = max(longestName, name.count) }
        }
        guard values.count <= Self.countLimit else {
            throw .unsupportedSVG("declares more than \(Self.countLimit) entities")
        }
    }

    private func replace(in text: [UInt8]) throws(ImageError) -> [UInt8] {
        var text = text
        let limit = text.count + Self.growthLimit
        for _ in 0..<Self.depthLimit {
            guard let replaced = try replacedOnce(in: text, limit: limit) else { return text }
            text = replaced
        }
        throw .unsupportedSVG("nests entities more than \(Self.depthLimit) deep")
    }

    /// Returns the text with all references replaced; `nil` if there are none.
    private func replacedOnce(in text: [UInt8], limit: Int) throws(ImageError) -> [UInt8]? {
        var (cursor, output, copied) = (SVGCursor(text, for: request), [UInt8](), 0)
        while let next = text[cursor.position...].firstIndex(where: { "<&".utf8.contains($0) }) {
            try cursor.step()
            cursor.position = next
            if text[next] == UInt8(ascii: "&") {
                guard let (value, end) = reference(in: text, at: next) else {
                    cursor.position += 1
                    continue
                }
                output += text[copied..<next] + value
                (cursor.position, copied) = (end, end)
            } else if !cursor.skipPlainText() {
                let end = cursor.endOfTag()
                while let place = text[cursor.position..<end].firstIndex(of: UInt8(ascii: "&")) {
                    try cursor.step()
                    cursor.position = place + 1
                    guard let (value, end) = reference(in: text, at: place) else { continue }
                    output += text[copied..<place] + value.quoted
                    (cursor.position, copied) = (end, end)
                    guard output.count <= limit else { break }
                }
                cursor.position = end
            }
            guard output.count <= limit else {
                throw .unsupportedSVG("grows by more than \(Self.growthLimit) bytes when its entities are replaced")
            }
        }
        return copied == 0 ? nil : output + text[copied...]
    }

    /// Returns the value of the entity to which the `&` at `start` refers, and the index behind the reference.
    private func reference(in text: [UInt8], at start: Int) -> (value: [UInt8], end: Int)? {
        let candidate = text[(start + 1)...].prefix(longestName + 1)
        guard let end = candidate.firstIndex(of: UInt8(ascii: ";")), let value = values[Array(candidate[..<end])]
        else { return nil }
        return (value, end + 1)
    }
}

extension [UInt8] {
    /// The bytes with quotes as references, for the value of an attribute.
    fileprivate var quoted: [UInt8] {
        flatMap { byte in
            switch byte {
            case UInt8(ascii: "\""): Array("&quot;".utf8)
            case UInt8(ascii: "'"): Array("&apos;".utf8)
            default: [byte]
            }
        }
    }
}
