import DarkroomCore

extension TransformNotation.Parameter {
    /// The kinds of values that a parameter can have.
    public enum Kind: Sendable {
        /// A number, such as `1.5`, with its unit.
        case number(ClosedRange<Double>, of: String? = nil)
        /// A whole number.
        case integer(ClosedRange<Int>)
        /// A width and a height, such as `300x200`; both above 0 and at most one million.
        case size
        /// A size of which one side may be left open, such as `300x` or `x200`.
        case bounds
        /// A point as fractions of the width and the height, such as `0.3x0.7` or `0.3,0.7`; both 0 to 1.
        case point
        /// A colour: `rgb`, `rrggbb` or `aarrggbb`, optionally after `#`, or a CSS name.
        case color
        /// `true` or `false`; also `yes`, `no`, `1` and `0`.
        case flag
        /// One of the words. The keys of `spellings` are alternative spellings of their values.
        case word([String], spellings: [String: String] = [:])
        /// One or several of the words, joined by `.`.
        case words([String])
        /// Any text.
        case text

        /// One of the cases of an enumeration.
        public static func word<Cases: CaseIterable>(of _: Cases.Type, spellings: [String: String] = [:]) -> Kind {
            .word(Cases.allCases.map { "\($0)" }, spellings: spellings)
        }

        /// Parses `text`; returns `nil` when it is not an allowed value.
        func value(of text: String) -> TransformNotation.Value? {
            switch self {
            case .number(let range, _):
                Double(decimals: text).flatMap { range.contains($0) ? .number($0) : nil }
            case .integer(let range):
                Double(decimals: text).flatMap(Int.init(exactly:))
                    .flatMap { range.contains($0) ? .number(Double($0)) : nil }
            case .size: Self.size(text, isOpen: false)
            case .bounds: Self.size(text, isOpen: true)
            case .point: Self.point(text)
            case .color: Color(notation: text).map { .color($0) }
            case .flag: Self.flags[text.asciiLowercased].map { .flag($0) }
            case .word(let words, let spellings):
                Self.word(text, of: words, spellings: spellings).map { .words([$0]) }
            case .words(let words): Self.words(text, of: words)
            case .text: .text(text)
            }
        }

        /// Whether `text` is a size beyond what is allowed.
        func isTooLarge(_ text: String) -> Bool {
            switch self {
            case .size, .bounds: Self.numbers(text).compactMap(\.self).contains { $0 > Self.sideLimit }
            default: false
            }
        }

        private static let sideLimit = 1e6

        private static let flags = ["true": true, "yes": true, "1": true, "false": false, "no": false, "0": false]

        private static func size(_ text: String, isOpen: Bool) -> TransformNotation.Value? {
            let sides = numbers(text)
            let given = sides.compactMap(\.self)
            guard sides.count == 2, given.count == 2 || isOpen && given.count == 1,
                given.allSatisfy({ $0 > 0 && $0 <= sideLimit })
            else { return nil }
            return .size(width: sides[0], height: sides[1])
        }

        private static func point(_ text: String) -> TransformNotation.Value? {
            let fractions = numbers(text).compactMap { $0.flatMap { (0...1).contains($0) ? $0 : nil } }
            guard fractions.count == 2 else { return nil }
            return .point(x: fractions[0], y: fractions[1])
        }

        /// Returns the numbers before and after an `x`, each `nil` if there is no text; none if there are other texts.
        private static func numbers(_ text: String) -> [Double?] {
            let parts = text.unicodeScalars.split(omittingEmptySubsequences: false) {
                "xX×".unicodeScalars.contains($0)
            }
            let numbers = parts.map { $0.isEmpty ? nil : Double(decimals: Substring($0)) }
            let isProper = parts.count == 2 && zip(parts, numbers).allSatisfy { $0.isEmpty || $1 != nil }
            return isProper ? numbers : []
        }

        private static func word(_ text: String, of words: [String], spellings: [String: String] = [:]) -> String? {
            let name = text.foldedName
            return words.first { $0.foldedName == name } ?? spellings[name]
        }

        private static func words(_ text: String, of words: [String]) -> TransformNotation.Value? {
            let given = text.fields(separatedBy: UInt8(ascii: ".")).map { word(String($0), of: words) }
            guard !given.contains(nil) else { return nil }
            return .words(words.filter { given.contains($0) })
        }
    }
}

extension TransformNotation.Parameter.Kind: CustomStringConvertible {
    /// The allowed values in words: `0 to 100 pixels`, `stretch, fit or cover`.
    public var description: String {
        switch self {
        case .number(let range, let unit):
            "\(range.lowerBound.shortDecimals) to \(range.upperBound.shortDecimals)" + (unit.map { " " + $0 } ?? "")
        case .integer(let range): "an integer from \(range.lowerBound) to \(range.upperBound)"
        case .size: "WxH"
        case .bounds: "WxH, Wx or xH"
        case .point: "XxY, both 0 to 1"
        case .color: "a colour"
        case .flag: "true or false"
        case .word(let words, _): words.listed("or")
        case .words(let words): words.listed("or") + ", or several joined by ."
        case .text: "text"
        }
    }
}
