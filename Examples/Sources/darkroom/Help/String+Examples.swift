extension String {
    /// The heading above the examples in a command's help.
    static let examplesHeading = "EXAMPLES:"

    /// Returns the discussion of a command's help: `text`, followed by example command lines.
    static func help(_ text: String = "", examples: String...) -> String {
        let lines = [examplesHeading] + examples.map { "  \($0)" }
        return (text.isEmpty ? "" : text + "\n\n") + lines.joined(separator: "\n")
    }
}
