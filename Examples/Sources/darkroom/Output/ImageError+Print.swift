import Console
import Darkroom

extension ImageError {
    /// Tells a person what went wrong with `source`.
    func print(about source: Source) {
        FileDescriptor.standardError.print("darkroom: \(source.shownText): \(messageForCommandLine)")
    }

    /// Tells a person what went wrong with the command as a whole.
    func print() { FileDescriptor.standardError.print("darkroom: \(messageForCommandLine)") }

    /// The message with the options of the command line in place of the properties that they set.
    private var messageForCommandLine: String {
        message
            .replacing("context.limits.", with: "--limit ")
            .replacing("set context.background", with: "use --background")
            .replacing("ask for the first frame only", with: "use --first-frame")
    }
}

extension [String] {
    /// Tells a person what else is to be said about `source`, each sentence on a line.
    func print(about source: Source) {
        for note in self { FileDescriptor.standardError.print("darkroom: \(source.shownText): \(note)") }
    }
}
