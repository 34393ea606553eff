import DarkroomTestKit
import Foundation
import Testing

/// Every command notices that standard output cannot be written.
struct WriteErrorTests {
    private static let image = Fixture.path("png-3x5.png")

    static let commands: [[String]] = [
        ["--help"], ["--version"], ["--version", "--verbose"], ["load", "--help"],
        ["--generate-completion-script", "bash"],
        ["load", "--no-cache", image], ["load", "--no-cache", "--json", image],
        ["load", "--no-cache", "--output", "-", image], ["info", image], ["key", image],
        ["play", "--no-cache", "--style", "blocks", image], ["explain", "--no-cache", image], ["doctor"], ["formats"],
        ["transforms", "--json"], ["cache", "stats", "--cache", "/no/such"],
    ]

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "only Linux has /dev/full"),
        arguments: commands)
    func fullDiskIsAnError(arguments: [String]) async throws {
        let run = try await bash("\(Self.command(arguments)) >/dev/full")
        #expect(run.status == 1)
        let lines = run.errors.split(separator: "\n")
        #expect(lines.count == 1 && lines[0].hasPrefix("darkroom: "), "\(run.errors)")
        #expect(run.errors.hasSuffix("standard output cannot be written: No space left on device\n"))
    }

    @Test(arguments: commands)
    func closedPipeEndsTheProcessAsUsual(arguments: [String]) async throws {
        // Its reader ends at once, so that the pipe is closed before anything is written.
        let run = try await bash(
            """
            exec 3> >(exit)
            wait $!
            \(Self.command(arguments)) >&3
            echo $? >&2
            """)
        #expect(run.errors == "141\n")
    }

    private static func command(_ arguments: [String]) -> String {
        ([Process.built("darkroom").path] + arguments).map { "'\($0)'" }.joined(separator: " ")
    }
}
