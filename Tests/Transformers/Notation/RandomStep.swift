import DarkroomTransformers

/// A step of a form with random values, in one of the allowed spellings.
struct RandomStep {
    let text: String

    init(_ form: TransformNotation.Form, _ random: inout some RandomNumberGenerator) {
        let countInOrder = Int.random(in: 0...form.parameters.count, using: &random)
        var words: [String] = form.parameters.prefix(countInOrder).map { Self.value($0, &random) }
        let named = form.parameters.dropFirst(countInOrder).filter { $0.isRequired || Bool.random(using: &random) }
        words += named.shuffled(using: &random).map { Self.spelling($0.name, &random) + "=" + Self.value($0, &random) }
        text = Self.spelling(form.name, &random) + (words.isEmpty ? "" : ":" + words.joined(separator: ","))
    }

    private static func value(
        _ parameter: TransformNotation.Parameter, _ random: inout some RandomNumberGenerator
    ) -> String {
        switch parameter.kind {
        case .number(let range, _): return number(range, &random)
        case .integer(let range): return "\(Int.random(in: range, using: &random))"
        case .size: return "\(number(0.001...1e6, &random))x\(number(0.001...1e6, &random))"
        case .bounds:
            let sides = (number(0.001...1e6, &random), number(0.001...1e6, &random))
            return ["\(sides.0)x\(sides.1)", "\(sides.0)x", "x\(sides.1)"].randomElement(using: &random) ?? ""
        case .point: return "\(number(0...1, &random))x\(number(0...1, &random))"
        case .color: return ["red", "80FF0000", "%230f0", "Transparent"].randomElement(using: &random) ?? ""
        case .flag: return ["true", "no", "1", "FALSE"].randomElement(using: &random) ?? ""
        case .word(let words, _): return spelling(words.randomElement(using: &random) ?? "", &random)
        case .words(let words):
            return words.shuffled(using: &random).prefix(2).map { spelling($0, &random) }.joined(separator: ".")
        case .text: return ["logo.png", "logo%2Epng"].randomElement(using: &random) ?? ""
        }
    }

    private static func number(_ range: ClosedRange<Double>, _ random: inout some RandomNumberGenerator) -> String {
        let number = Double.random(in: range, using: &random)
        let (whole, rest) = Int((number * 1000).rounded(.towardZero)).magnitude.quotientAndRemainder(dividingBy: 1000)
        let isWhole = whole > 0 && Bool.random(using: &random)
        return (number < 0 ? "-" : "") + "\(whole)" + (isWhole ? "" : ".\(String(rest + 1000).dropFirst())")
    }

    private static func spelling(_ name: String, _ random: inout some RandomNumberGenerator) -> String {
        switch Int.random(in: 0...3, using: &random) {
        case 0: name.uppercased()
        case 1: name.reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
        case 2: name.lowercased()
        default: name
        }
    }
}
