import DarkroomCore

/// Reads CSS, as far as it decides which declarations may apply to which elements.
///
/// Blocks and tokens are those that librsvg finds. Where it ignores a declaration or a rule as invalid, that may count here.
struct SVGStyleReader {
    private struct Block {
        let end: UInt8
        var selectors: [SVGSelector] = []
        /// Whether the block belongs to an at-rule, none of which librsvg applies.
        var isIgnored = false
        var style = SVGStyle()
    }

    /// The maximum depth of blocks. librsvg reads selectors such as `:not()` recursively.
    private static let depthLimit = 32

    /// The declarations outside blocks, as in the attribute `style`.
    private(set) var style = SVGStyle()
    /// The declarations of each block that matter, and their selectors.
    private(set) var rules: [(selectors: [SVGSelector], style: SVGStyle)] = []

    private let text: [UInt8]
    private var position = 0
    private var blocks: [Block] = []
    /// The text since the last declaration or block, without what is in quotes and in URLs.
    private var piece: [UInt8] = []
    private var targets: [String] = []
    /// The number of selectors and URLs.
    private var partCount = 0
    /// Whether the piece imports another style sheet.
    private var isImport = false

    /// Reads the text of a style sheet or of an attribute.
    ///
    /// Each token is a step of `cursor`.
    ///
    /// - Throws: An error of kind `unsupported` for documents in data URLs, for what librsvg reads recursively, and for too
    ///   many selectors and URLs.
    init(_ text: [UInt8], _ cursor: inout SVGCursor) throws(ImageError) {
        self.text = text
        while position < text.count {
            try cursor.step()
            try readToken()
        }
        endDeclaration()
        while !blocks.isEmpty { endBlock() }
    }

    private func byte(after count: Int = 0) -> UInt8? { position + count < text.count ? text[position + count] : nil }

    private mutating func readToken() throws(ImageError) {
        let byte = text[position]
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            let string = try readString()
            guard !isImport || !string.isDataURL else { throw .dataURLInSVG }
            piece += "\"\"".utf8
        case UInt8(ascii: "/") where self.byte(after: 1) == UInt8(ascii: "*"): skipComment()
        case UInt8(ascii: "<") where text[position...].starts(with: "<!--".utf8): position += 4
        case UInt8(ascii: "@"), UInt8(ascii: "#"):
            position += 1
            let name = try readName()
            if byte == UInt8(ascii: "@"), name.folded.elementsEqual("import".utf8) { isImport = true }
            piece += [byte] + name
        case UInt8(ascii: "("): try openBracket(UInt8(ascii: ")"))
        case UInt8(ascii: "["): try openBracket(UInt8(ascii: "]"))
        case UInt8(ascii: "{"): try openRule()
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): close(byte)
        case UInt8(ascii: ";"):
            position += 1
            endDeclaration()
        case UInt8(ascii: "\\"): try readWord()
        case _ where byte.isNameByte: try readWord()
        default:
            position += 1
            piece.append(byte)
        }
    }

    private mutating func skipComment() {
        let content = text[(position + 2)...]
        position = content.firstRange(of: Array("*/".utf8))?.upperBound ?? text.count
    }

    private mutating func readWord() throws(ImageError) {
        let word = try readName()
        piece += word
        if byte() == UInt8(ascii: "("), word.folded.elementsEqual("url".utf8) { try readURL() }
    }

    private mutating func readName() throws(ImageError) -> [UInt8] {
        var name: [UInt8] = []
        while let next = byte() {
            if next == UInt8(ascii: "\\") {
                name += try readEscape()
            } else {
                guard next.isNameByte else { break }
                name.append(next)
                position += 1
            }
        }
        return name
    }

    private mutating func readURL() throws(ImageError) {
        let start = text[(position + 1)...].firstIndex { !$0.isSpace } ?? text.count
        if start < text.count, "\"'".utf8.contains(text[start]) {
            try openBracket(UInt8(ascii: ")"))
            position = start
            let url = try readString()
            return try addTarget(of: url)
        }
        var url: [UInt8] = []
        position = start
        while let next = byte(), next != UInt8(ascii: ")") {
            if next == UInt8(ascii: "\\") {
                url += try readEscape()
            } else {
                url.append(next)
                position += 1
            }
        }
        position = min(position + 1, text.count)
        while url.last?.isSpace == true { url.removeLast() }
        piece += "()".utf8
        try addTarget(of: url)
    }

    private mutating func addTarget(of url: [UInt8]) throws(ImageError) {
        let mark = url.lastIndex(of: UInt8(ascii: "#"))
        // Without a fragment, only style sheets are loaded, and not fonts.
        guard !url.isDataURL || (mark == nil && !isImport) else { throw .dataURLInSVG }
        guard let mark else { return }
        targets.append(String(decoding: url[(mark + 1)...], as: UTF8.self))
        try countParts(1)
    }

    private mutating func countParts(_ count: Int) throws(ImageError) {
        partCount += count
        try SVGCursor.check(partCount, "selectors and URLs in a style")
    }

    /// Reads up to the quote at the end, or the end of the line, where a string ends without one.
    private mutating func readString() throws(ImageError) -> [UInt8] {
        let quote = text[position]
        var string: [UInt8] = []
        position += 1
        while let next = byte(), next != quote, !"\r\n".utf8.contains(next) {
            if next != UInt8(ascii: "\\") {
                string.append(next)
                position += 1
            } else if byte(after: 1) == UInt8(ascii: "\n") {
                position += 2
            } else {
                string += try readEscape()
            }
        }
        if byte() == quote { position += 1 }
        return string
    }

    /// Reads an escape of a character beyond ASCII. Other escapes are refused, because all markup could be written so.
    private mutating func readEscape() throws(ImageError) -> [UInt8] {
        let digits = text[(position + 1)...].prefix(6).prefix { "0123456789abcdefABCDEF".utf8.contains($0) }
        let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
        guard let scalar = Unicode.Scalar(number), !scalar.isASCII else {
            throw .unsupportedSVG("has styles with escapes of other characters than those beyond ASCII")
        }
        position = digits.endIndex
        // One white space belongs to the escape.
        if byte() == UInt8(ascii: "\r"), byte(after: 1) == UInt8(ascii: "\n") { position += 1 }
        if byte()?.isSpace == true { position += 1 }
        return Array(String(scalar).utf8)
    }

    private mutating func openBracket(_ end: UInt8) throws(ImageError) {
        piece.append(text[position])
        position += 1
        try push(Block(end: end))
    }

    private mutating func openRule() throws(ImageError) {
        var block = Block(end: UInt8(ascii: "}"))
        let isAtRule = piece.first { !$0.isSpace } == UInt8(ascii: "@")
        block.isIgnored = isAtRule || blocks.contains(where: \.isIgnored)
        if !block.isIgnored { block.selectors = try SVGSelector.list(piece) }
        try countParts(block.selectors.count)
        endDeclaration()
        position += 1
        try push(block)
    }

    private mutating func push(_ block: Block) throws(ImageError) {
        guard blocks.count < Self.depthLimit else {
            throw .unsupportedSVG("has styles that nest more than \(Self.depthLimit) brackets")
        }
        blocks.append(block)
    }

    private mutating func close(_ end: UInt8) {
        position += 1
        guard blocks.last?.end == end else { return piece.append(end) }
        if end == UInt8(ascii: "}") {
            endDeclaration()
            endBlock()
        } else {
            blocks.removeLast()
            piece.append(end)
        }
    }

    /// Adds the declaration to all rules that are open, unless one is ignored. librsvg may end an invalid one elsewhere.
    private mutating func endDeclaration() {
        let isIgnored = blocks.contains(where: \.isIgnored)
        let openRules = isIgnored ? [] : blocks.indices.filter { blocks[$0].end == UInt8(ascii: "}") }
        for index in openRules { blocks[index].style.add(piece, targets: targets) }
        if openRules.isEmpty, !isIgnored { style.add(piece, targets: targets) }
        piece = []
        targets = []
        isImport = false
    }

    private mutating func endBlock() {
        let block = blocks.removeLast()
        guard !block.selectors.isEmpty, !block.style.isEmpty else { return }
        rules.append((block.selectors, block.style))
    }
}
