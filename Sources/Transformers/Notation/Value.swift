public import DarkroomCore

extension TransformNotation {
    /// The value of an argument.
    public enum Value: Hashable, Sendable {
        /// A number, rounded to a multiple of one millionth.
        case number(Double)
        /// A width and a height, one of which may be open.
        case size(width: Double?, height: Double?)
        /// A point as fractions of the width and the height.
        case point(x: Double, y: Double)
        /// A colour.
        case color(Color)
        /// A Boolean value.
        case flag(Bool)
        /// One word, or several where the form allows it, in the form's spelling and order.
        case words([String])
        /// Any text.
        case text(String)
    }
}

extension TransformNotation.Value: CustomStringConvertible {
    /// The canonical spelling of the value, without escapes.
    public var description: String {
        switch self {
        case .number(let number): number.shortDecimals
        case .size(let width, let height): "\(width?.shortDecimals ?? "")x\(height?.shortDecimals ?? "")"
        case .point(let x, let y): "\(x.shortDecimals)x\(y.shortDecimals)"
        case .color(let color): String(color.description.dropFirst(color.alpha == 255 ? 3 : 1))
        case .flag(let flag): "\(flag)"
        case .words(let words): words.joined(separator: ".")
        case .text(let text): text
        }
    }
}

extension Double {
    /// Parses a decimal number such as `-1.5`, rounded to a millionth as identifiers are, so that texts with equal
    /// results have equal identifiers; `nil` for any other text.
    init?(decimals text: some StringProtocol) {
        let isDecimal = text.utf8.allSatisfy { "0123456789.-".utf8.contains($0) }
        guard isDecimal, text.utf8.count <= 32, let number = Double(text), number.magnitude <= 1e9 else { return nil }
        // Adding 0 turns -0 into 0.
        self = (number * 1e6).rounded() / 1e6 + 0
    }

    /// The decimal text without trailing zeros.
    var shortDecimals: String {
        let text = sixDecimals.utf8.reversed().drop { $0 == UInt8(ascii: "0") }
        return String(decoding: text.drop { $0 == UInt8(ascii: ".") }.reversed(), as: UTF8.self)
    }
}
