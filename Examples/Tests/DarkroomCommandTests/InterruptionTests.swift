import Foundation
import Testing

struct InterruptionTests {
    /// Writes an image that exceeds the buffer of a pipe, so that the writer waits for the reader.
    private static let arguments = [
        "load", Fixture.path("jpeg-420.jpg"), "--no-cache", "--transform", "resize:900x900", "--format", "png",
        "--output", "-",
    ]

    @Test func interruptionEndsWithStatus130() async throws {
        let (process, pipe) = (Process(), Pipe())
        process.standardOutput = pipe
        let status = try await process.runDarkroom(Self.arguments) {
            _ = try pipe.fileHandleForReading.read(upToCount: 1)
            process.interrupt()
        }
        #expect(process.terminationReason == .exit)
        #expect(status == 130)
    }

    @Test func closedPipeEndsTheProcess() async throws {
        let (process, pipe, errors) = (Process(), Pipe(), Pipe())
        process.standardOutput = pipe
        process.standardError = errors
        let status = try await process.runDarkroom(Self.arguments) {
            _ = try pipe.fileHandleForReading.read(upToCount: 1)
            try pipe.fileHandleForReading.close()
        }
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(status == SIGPIPE)
        #expect(errors.fileHandleForReading.readDataToEndOfFile().isEmpty)
    }
}
