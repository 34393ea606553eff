import DarkroomTestKit
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

    /// nohup ignores SIGHUP, and a shell ignores SIGINT and SIGQUIT for programs that it runs in the background.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status"), "only Linux lists ignored signals"))
    func ignoredSignalsStayIgnored() async throws {
        try await withTemporaryDirectory { folder in
            let command = ([Process.built("darkroom").path] + Self.arguments).map { "'\($0)'" }.joined(separator: " ")
            let run = try await bash(
                """
                cd '\(folder.path)' && mkfifo pipe && trap '' HUP
                \(command) >pipe &
                exec 3<pipe
                dd bs=1 count=1 <&3 >picture 2>/dev/null
                echo $((0x$(awk '/^SigIgn/ { print $2 }' /proc/$!/status) & 7))
                kill -HUP $! && kill -INT $! && cat <&3 >>picture
                wait $!
                """)
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.lines == ["7"])
            let expected = try await darkroom(Self.arguments).output
            #expect(try Data(contentsOf: folder.appending(path: "picture")) == expected)
        }
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
