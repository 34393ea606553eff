import Foundation

/// The command line `darkroom`, run as a separate process.
struct Darkroom {
    let executable: URL

    /// Runs it with its output visible to the user.
    func show(_ arguments: [String]) async throws { try await run(arguments, output: nil) }

    /// Runs `darkroom load --json`, and returns its report on each source.
    func load(_ arguments: [String]) async throws -> [Load] {
        let file = FileManager.default.temporaryDirectory.appending(path: "darkroom-demo-\(UUID().uuidString).json")
        _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        defer { try? FileManager.default.removeItem(at: file) }
        try await run(["load", "--json"] + arguments, output: FileHandle(forWritingTo: file))
        return try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(Load.self, from: Data($0))
        }
    }

    private func run(_ arguments: [String], output: FileHandle?) async throws {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        if let output { process.standardOutput = output }
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        guard status == 0 else { throw DemoError("\(executable.path) ended with status \(status)") }
    }
}

/// The report of `darkroom load --json` on one source.
struct Load: Decodable {
    /// The reason why a source failed.
    struct Failure: Decodable {
        let message: String
    }

    let source: String
    let key: String?
    let origin: String?
    let bytes: Int?
    let milliseconds: Double
    let error: Failure?
}
