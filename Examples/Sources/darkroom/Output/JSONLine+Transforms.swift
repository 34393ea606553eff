import Darkroom

extension JSONLine {
    /// Creates the JSON description of a transform.
    init(form: TransformNotation.Form) {
        self.init([
            "name": form.name, "aliases": form.aliases, "summary": form.summary, "example": form.example,
            "parameters": form.parameters.map { JSONLine(parameter: $0) },
        ])
    }

    private init(parameter: TransformNotation.Parameter) {
        self.init([
            "name": parameter.name, "type": parameter.kind.name, "required": parameter.isRequired,
            "default": parameter.default, "minimum": parameter.kind.range?.lowerBound,
            "maximum": parameter.kind.range?.upperBound, "words": parameter.kind.words,
        ])
    }
}

extension TransformNotation.Parameter.Kind {
    fileprivate var name: String {
        switch self {
        case .number: "number"
        case .integer: "integer"
        case .size: "size"
        case .bounds: "bounds"
        case .point: "point"
        case .color: "color"
        case .flag: "flag"
        case .word: "word"
        case .words: "words"
        case .text: "text"
        }
    }

    fileprivate var range: ClosedRange<Double>? {
        switch self {
        case .number(let range, _): range
        case .integer(let range): Double(range.lowerBound)...Double(range.upperBound)
        default: nil
        }
    }

    fileprivate var words: [String]? {
        switch self {
        case .word(let words, _), .words(let words): words
        default: nil
        }
    }
}
