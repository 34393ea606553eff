import Console
import Darkroom

extension ImageError {
    /// Prints the error of `source` to standard error.
    func print(about source: Source) {
        FileDescriptor.standardError.print("darkroom: \(source.shownText): \(messageForCommandLine)")
    }

    /// Prints the error of the whole command to standard error.
    func print() { FileDescriptor.standardError.print("darkroom: \(messageForCommandLine)") }

    /// The message with command-line options in place of the API's properties.
    private var messageForCommandLine: String {
        message
            .replacing("context.limits.", with: "--limit ")
            .replacing("context.background", with: "--background")
            .replacing("set context.usesFirstFrameOnly to write its first frame", with: "use --first-frame")
    }
}

extension [String] {
    /// Prints the notes about `source` to standard error, one per line.
    func print(about source: Source) {
        for note in self { FileDescriptor.standardError.print("darkroom: \(source.shownText): \(note)") }
    }
}
