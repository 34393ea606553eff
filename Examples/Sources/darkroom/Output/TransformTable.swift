import Darkroom

/// All transforms and their parameters as lines of aligned columns.
struct TransformTable {
    private let forms: [TransformNotation.Form]
    private let columns: Int?

    /// Creates a table that wraps at `columns`; `nil` never wraps.
    init(_ forms: [TransformNotation.Form], columns: Int?) {
        self.forms = forms
        self.columns = columns
    }

    /// The lines from top to bottom.
    var lines: [String] { forms.flatMap { form in lines(of: form) } }

    private func lines(of form: TransformNotation.Form) -> [String] {
        let aliases = form.aliases.isEmpty ? "" : " Also \(form.aliases.joined(separator: ", "))."
        return row(form.name, text: form.summary + aliases) + row("", text: form.example)
            + form.parameters.flatMap { row("  " + $0.name, text: $0.words) }
    }

    private func row(_ name: String, text: String) -> [String] {
        text.wrapped(at: columns.map { max(20, $0 - width) }).enumerated().map { index, line in
            (index == 0 ? name : "").padded(to: width) + line
        }
    }

    private var width: Int {
        let names = forms.flatMap { [$0.name] + $0.parameters.map { "  " + $0.name } }
        return (names.map(\.count).max() ?? 0) + 2
    }
}

extension TransformNotation.Parameter {
    /// A description of the allowed values and the default.
    fileprivate var words: String {
        let otherwise = isRequired ? "required" : self.default.map { "default \($0)" } ?? "optional"
        return "\(kind); \(otherwise)"
    }
}

extension String {
    /// Returns the text wrapped into lines of up to `width` characters; `nil` never wraps. Longer words are not split.
    fileprivate func wrapped(at width: Int?) -> [String] {
        guard let width else { return [self] }
        var lines = [""]
        for word in split(separator: " ") {
            let line = lines[lines.count - 1]
            if line.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if line.count + 1 + word.count <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
