import DarkroomTestKit
import Foundation
import Synchronization
import Testing

/// The outcome of running the built command line.
struct Run {
    let status: Int32
    let output: Data
    let errors: String

    /// The lines of standard output.
    var lines: [String] { String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init) }

    /// The JSON objects on standard output.
    var objects: [[String: Any]] {
        get throws {
            try lines.map { try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
        }
    }
}

/// Runs `darkroom`, which is built next to the tests.
func darkroom(_ arguments: String..., input: URL? = nil) async throws -> Run {
    try await darkroom(arguments, input: input)
}

func darkroom(_ arguments: [String], input: URL? = nil, command: String = "darkroom") async throws -> Run {
    try await run(Process.built(command), arguments: arguments, input: input)
}

/// Runs the program at `executable`, and returns its outcome.
func run(_ executable: URL, arguments: [String], input: URL? = nil) async throws -> Run {
    try await withTemporaryDirectory { folder in
        let (output, errors) = (folder.appending(path: "output"), folder.appending(path: "errors"))
        for file in [output, errors] { try Data().write(to: file) }
        let process = Process()
        process.standardInput = try input.map { try FileHandle(forReadingFrom: $0) } ?? FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        let status = try await process.run(executable, arguments: arguments)
        return Run(
            status: status, output: try Data(contentsOf: output),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }
}

extension Process {
    /// Returns a program that is built next to the tests.
    static func built(_ command: String) -> URL {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: command)
    }

    /// Starts the command line, or another program built next to the tests, runs `body`, and returns the exit status.
    func runDarkroom(
        _ arguments: [String], command: String = "darkroom", body: () async throws -> Void = {}
    ) async throws -> Int32 {
        try await run(Self.built(command), arguments: arguments, body: body)
    }

    /// Starts the program at `executable`, runs `body`, and returns the exit status.
    func run(_ executable: URL, arguments: [String], body: () async throws -> Void = {}) async throws -> Int32 {
        executableURL = executable
        self.arguments = arguments
        let (statuses, status) = AsyncStream.makeStream(of: Int32.self)
        terminationHandler = { status.yield($0.terminationStatus) }
        try runInterruptibly()
        try await body()
        for await status in statuses { return status }
        throw CancellationError()
    }

    private static let starting = Mutex(())

    /// Starts the program with the default actions for interruptions. The tests may have been started to ignore some, as by
    /// nohup, and the program would do the same.
    private func runInterruptibly() throws {
        try Self.starting.withLock { _ in
            let numbers = [SIGINT, SIGHUP, SIGQUIT]
            let actions = numbers.map { signal($0, SIG_DFL) }
            defer { for (number, action) in zip(numbers, actions) { signal(number, action) } }
            try run()
        }
    }
}

/// The fixtures of the root package's tests.
enum Fixture {
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Tests/Fixtures").path

    static func path(_ name: String) -> String { "\(folder)/\(name)" }
}

extension URL {
    /// The sorted names of the files in this folder.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}
