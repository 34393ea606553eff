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
        for selector in text.split(separator: UInt8(ascii: ",")) {
            let parts = selector.split { $0.isSpace || ">+~".utf8.contains($0) }
            guard parts.count <= combinatorLimit else {
                throw .unsupportedSVG("combines more than \(combinatorLimit) selectors")
            }
            selectors.append(SVGSelector(parts.last ?? []))
        }
        return selectors
    }

    private init(_ text: ArraySlice<UInt8>) {
        func name(at index: Int) -> String {
            String(decoding: text[index...].prefix(while: \.isNameByte), as: UTF8.self)
        }
        let isSimple = text.allSatisfy { $0.isNameByte || ".#*:".utf8.contains($0) }
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
