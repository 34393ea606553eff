import Foundation
import Testing

/// The JSON fields of commands without other tests of them.
struct JSONFieldTests {
    private static let image = Fixture.path("png-rgb-8.png")

    @Test(
        arguments: [
            (["key", image], "fileName key source variant"),
            (["explain", image, "--no-cache"], "decision error file key origin steps url"),
            (["formats"], "format identifier mimeType reads writes"),
            (["cache", "stats", "--cache", "/none"], "bytes directory entries"),
            (["cache", "verify", "--cache", "/none"], "directory intact removed"),
        ])
    func fieldsAreStable(arguments: [String], fields: String) async throws {
        let run = try await darkroom(arguments + ["--json"])
        #expect(run.status == 0)
        #expect(try run.objects.first?.keys.sorted().joined(separator: " ") == fields)
    }
}
