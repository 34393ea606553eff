package import ArgumentParser

extension ParsableArguments {
    /// Ends the process as `exit(withError:)` does, but escapes the characters in an error message that a terminal
    /// would act on, and fails if standard output cannot be written.
    package static func end(with error: any Error) -> Never {
        let status = exitCode(for: error)
        let message = fullMessage(for: error)
        if !message.isEmpty {
            // Help texts, versions and completion scripts contain no foreign text.
            if status.isSuccess {
                FileDescriptor.standardOutput.show(message + "\n")
            } else {
                FileDescriptor.standardError.printLines(of: message)
            }
        }
        System.end(status.rawValue)
    }
}
