import Foundation

/// A small example, run as a separate process.
struct Example {
    /// The outcome of a run.
    struct Run {
        let status: Int32
        /// The printed lines.
        let lines: [String]
        /// The text on standard error.
        let errors: String
    }

    let name: String

    init(_ name: String) { self.name = name }

    /// The built program, which is next to the tests.
    var executable: URL { URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name) }

    /// Runs the program.
    func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Run {
        try await run(arguments, environment: environment)
    }

    func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Run {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        let (statuses, status) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { status.yield($0.terminationStatus) }
        try process.run()
        // No example prints more than the buffer of a pipe can hold.
        for await status in statuses {
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            return Run(
                status: status, lines: text.split(separator: "\n").map(String.init),
                errors: String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
        }
        throw CancellationError()
    }
}

/// The files of this repository.
enum Repository {
    static let examples = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Returns the path of a fixture of the root package's tests.
    static func fixture(_ name: String) -> String {
        examples.deletingLastPathComponent().appending(path: "Tests/Fixtures/\(name)").path
    }
}
