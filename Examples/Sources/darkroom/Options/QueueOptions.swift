import ArgumentParser

/// The options for processing several sources.
struct QueueOptions: ParsableArguments {
    @Option(
        name: .shortAndLong, help: ArgumentHelp("The maximum number of sources processed at once.", valueName: "n"))
    var jobs = 4

    func validate() throws {
        guard jobs > 0 else { throw ValidationError("--jobs must be at least 1.") }
    }
}
