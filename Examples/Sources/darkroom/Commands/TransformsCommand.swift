import ArgumentParser
import Console
import Darkroom

/// `darkroom transforms`: lists the steps that `--transform` accepts.
struct TransformsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transforms", abstract: "Lists the transforms that --transform accepts.",
        discussion: .help(
            """
            A list is a single word: steps are joined by +, and a step is a name, optionally followed by : and arguments \
            joined by commas. Arguments are given in the order below, or by name: \
            resize:300x200,cover,gravity=top+sharpen. Names ignore case and hyphens. Characters other than letters, \
            digits and -._~ are percent-encoded: watermark:my%20logo.png.
            """,
            examples: "darkroom transforms", "darkroom transforms --json"))

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func run() {
        let forms = TransformNotation.entries.map(\.form)
        guard !json else { return forms.forEach { JSONLine(form: $0).print() } }
        let table = TransformTable(forms, columns: FileDescriptor.standardOutput.terminalSize?.columns)
        table.lines.forEach(FileDescriptor.standardOutput.print)
    }
}
