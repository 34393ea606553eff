package import ArgumentParser

extension ParsableArguments {
    /// Ends the process as `exit(withError:)` does, but with escapes for what a terminal would act on in the words of an error.
    package static func end(with error: any Error) -> Never {
        let status = exitCode(for: error)
        let message = fullMessage(for: error)
        // Help and versions are our own words, and go to standard output.
        guard !status.isSuccess, !message.isEmpty else { exit(withError: error) }
        FileDescriptor.standardError.printLines(of: message)
        System.end(status.rawValue)
    }
}
