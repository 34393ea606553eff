package import ArgumentParser

extension ParsableArguments {
    /// Ends the process as `exit(withError:)` does, but escapes the characters in an error message that a terminal
    /// would act on.
    package static func end(with error: any Error) -> Never {
        let status = exitCode(for: error)
        let message = fullMessage(for: error)
        // Help texts and versions contain no foreign text, and go to standard output.
        guard !status.isSuccess, !message.isEmpty else { exit(withError: error) }
        FileDescriptor.standardError.printLines(of: message)
        System.end(status.rawValue)
    }
}
