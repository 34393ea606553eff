extension String {
    /// The heading above the examples in a command's help.
    static let examplesHeading = "EXAMPLES:"

    /// What a command's help says besides its abstract: `text`, and command lines to begin with.
    static func help(_ text: String = "", examples: String...) -> String {
        let lines = [examplesHeading] + examples.map { "  \($0)" }
        return (text.isEmpty ? "" : text + "\n\n") + lines.joined(separator: "\n")
    }
}
