import DarkroomCore

/// The style sheets of a drawing.
struct SVGStyleSheets {
    /// The declarations of each rule.
    private(set) var styles: [SVGStyle] = []
    /// The indices of the rules that may apply to the elements of a selector.
    private(set) var rules: [SVGSelector: [Int]] = [:]
    /// The identifiers of the clip paths that librsvg draws on a surface, and not as paths.
    private(set) var drawnClips: Set<String> = []

    private var selectorCount = 0

    /// Reads the style sheets in a document, and the clip paths to which they may refer.
    init(in text: [UInt8], for request: InfoRequest) throws(ImageError) {
        var cursor = SVGCursor(text, for: request)
        while try cursor.moveToMarkup() {
            let start = cursor.position
            if cursor.skipPlainText() {
                try Self.checkInstruction(text[start..<cursor.position])
                continue
            }
            let tag = SVGTag(at: cursor)
            cursor.position = tag.end
            if tag.name == "clipPath" {
                let clip = try SVGElement(tag, allowsImages: false, &cursor)
                if clip.hasBoxUnits { drawnClips.formUnion(clip.ids) }
            }
            guard tag.name == "style", !tag.isEmpty else { continue }
            let content = try Self.content(at: &cursor)
            for rule in try SVGStyleReader(content, &cursor).rules { try add(rule.style, for: rule.selectors) }
        }
    }

    /// Returns the number of surfaces that are held while an element of a style is drawn.
    func layerCount(of style: SVGStyle) -> Int {
        max(style.layerCount, style.effects.contains { drawnClips.contains($0) } ? 1 : 0)
    }

    private mutating func add(_ style: SVGStyle, for selectors: [SVGSelector]) throws(ImageError) {
        selectorCount += selectors.count
        try SVGCursor.check(selectorCount, "selectors")
        for selector in selectors { rules[selector, default: []].append(styles.count) }
        styles.append(style)
    }

    /// Refuses an instruction that may contain a style sheet.
    private static func checkInstruction(_ text: ArraySlice<UInt8>) throws(ImageError) {
        guard text.starts(with: "<?xml-stylesheet".utf8) else { return }
        guard !text.contains(UInt8(ascii: "&")), Array(text.folded).firstRange(of: Array("data:".utf8)) == nil else {
            throw .dataURLInSVG
        }
    }

    /// Returns the text up to the end tag, which librsvg joins across comments.
    private static func content(at cursor: inout SVGCursor) throws(ImageError) -> [UInt8] {
        var content: [UInt8] = []
        var start = cursor.position
        while try cursor.moveToMarkup() {
            content += cursor.text[start..<cursor.position].withoutReferences(isAttribute: false)
            guard !cursor.isAt("</") else { break }
            start = cursor.position
            let isSection = cursor.isAt("<![CDATA[")
            guard cursor.skipPlainText() else { throw .unsupportedSVG("contains elements in a style sheet") }
            if isSection { content += cursor.text[start..<cursor.position].dropFirst(9).dropLast(3) }
            start = cursor.position
        }
        return content
    }
}
