import ArgumentParser
import Console
import Darkroom

/// `darkroom transforms`: lists the steps that `--transform` accepts.
struct TransformsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transforms", abstract: "Lists what --transform understands.",
        discussion: .help(
            """
            A list is written in one word: steps are joined by +, and a step is a name, then : and its arguments, joined \
            by a comma. Arguments stand in the order of this list, or have names: resize:300x200,cover,gravity=top+sharpen. \
            Letter case and hyphens do not count in names. Other signs than letters, digits and -._~ are written as \
            percent escapes: watermark:my%20logo.png.
            """,
            examples: "darkroom transforms", "darkroom transforms --json"))

    @Flag(help: "Print one JSON object a line.")
    var json = false

    func run() {
        let forms = TransformNotation.entries.map(\.form)
        guard !json else { return forms.forEach { JSONLine(form: $0).print() } }
        let table = TransformTable(forms, columns: FileDescriptor.standardOutput.terminalSize?.columns)
        table.lines.forEach(FileDescriptor.standardOutput.print)
    }
}
