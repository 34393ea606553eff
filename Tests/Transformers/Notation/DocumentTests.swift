import DarkroomCore
import DarkroomTransformers
import Foundation
import Testing

/// Compares `docs/transforms.md` with the code.
struct DocumentTests {
    private static func document() throws -> String {
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return try String(contentsOf: root.appending(path: "docs/transforms.md"), encoding: .utf8)
    }

    @Test func tableListsExactlyTheExistingTransforms() throws {
        let rows = try Self.document().split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        #expect(rows == TransformNotation.entries.map { Self.row(of: $0.form) })
    }

    @Test func limitsAreDocumented() throws {
        let text = try Self.document()
        #expect(text.contains("\(TransformNotation.byteLimit) bytes"))
        #expect(text.contains("\(TransformNotation.stepLimit) steps"))
    }

    private static func row(of form: Form) -> String {
        let names = ([form.name] + form.aliases).map { "`\($0)`" }.joined(separator: ", ")
        let arguments = form.parameters.map { parameter in
            let otherwise = parameter.isRequired ? ", required" : parameter.default.map { " (`\($0)`)" } ?? ""
            return "`\(parameter.name)` \(parameter.kind)\(otherwise)"
        }
        return "| \(names) | \(form.summary) | \(arguments.joined(separator: "<br>")) | `\(form.example)` |"
    }

    /// The code of the document.
    @Test func serverCanParseItsOwnOptions() throws {
        let quality = TransformNotation.Form(
            "quality", summary: "Sets the quality of the result.", parameters: [.required("value", .number(0...100))],
            example: "quality:80")
        let notation = TransformNotation(others: [quality])
        var transformers: [any ImageTransformer] = []
        var percent = 75.0
        for step in try notation.steps(of: "resize:300x200,cover+quality:80") {
            if quality.matches(step) {
                percent = try quality.values(of: step).number("value")
            } else {
                transformers.append(try notation.transformer(for: step))
            }
        }
        #expect(percent == 80)
        #expect(transformers.map(\.identifier) == ["Resizing({300.000000,200.000000},2)"])
    }
}
