import DarkroomCore

/// The elements to which a rule of a style sheet may apply, by the last simple selector.
enum SVGSelector: Hashable {
    case any
    case name(String)
    case id(String)
    case className(String)

    /// The maximum number of combinators. librsvg follows them recursively.
    private static let combinatorLimit = 64

    /// Returns the selectors of a rule from the text before its block.
    static func list(_ text: [UInt8]) throws(ImageError) -> [SVGSelector] {
        var selectors: [SVGSelector] = []
        // The range of the last of the selectors that are combined, and their number.
        var (start, end, count, depth) = (0, 0, 0, 0)
        for (index, byte) in text.enumerated() {
            let isSeparator = depth == 0 && (byte.isSpace || ",>+~".utf8.contains(byte))
            if "([".utf8.contains(byte) { depth += 1 }
            if ")]".utf8.contains(byte) { depth = max(depth - 1, 0) }
            if isSeparator, byte == UInt8(ascii: ",") {
                selectors.append(SVGSelector(text[start..<end]))
                try SVGCursor.check(selectors.count, "selectors of a rule")
                (start, end, count) = (index, index, 0)
            } else if !isSeparator {
                if start == end || index > end { (start, count) = (index, count + 1) }
                guard count <= combinatorLimit else {
                    throw .unsupportedSVG("combines more than \(combinatorLimit) selectors")
                }
                end = index + 1
            }
        }
        return selectors + [SVGSelector(text[start..<end])]
    }

    private init(_ text: ArraySlice<UInt8>) {
        // Attributes and pseudo-classes only exclude elements.
        let text = text.prefix { !"[:".utf8.contains($0) }
        func name(at index: Int) -> String {
            String(decoding: text[index...].prefix(while: \.isNameByte), as: UTF8.self)
        }
        let isSimple = text.allSatisfy { $0.isNameByte || ".#*".utf8.contains($0) }
        if isSimple, let dot = text.firstIndex(of: UInt8(ascii: ".")) {
            self = .className(name(at: dot + 1))
        } else if isSimple, let mark = text.firstIndex(of: UInt8(ascii: "#")) {
            self = .id(name(at: mark + 1))
        } else if isSimple, text.first?.isNameByte == true {
            self = .name(name(at: text.startIndex))
        } else {
            self = .any
        }
    }
}
