import DarkroomCore
import Foundation

/// A program of one file. If it fails, it ends with a sentence and status 1; a `main` that throws would end in a trap.
@MainActor
public protocol SmallExample {
    /// Runs the program.
    static func run() async throws
}

extension SmallExample {
    /// Runs the program, and ends the process if it fails.
    public static func main() async {
        do {
            try await run()
        } catch {
            let sentence = (error as? ImageError)?.message ?? error.localizedDescription
            let program = URL(filePath: CommandLine.arguments[0]).lastPathComponent
            try? FileHandle.standardError.write(contentsOf: Data("\(program): \(sentence)\n".utf8))
            exit(1)
        }
    }
}
