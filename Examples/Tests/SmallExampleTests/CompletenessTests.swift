import Foundation
import Testing

struct CompletenessTests {
    private static let folder = Repository.examples.appending(path: "Small")

    /// The names of all small examples.
    private static let names = try! FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()

    @Test func examplesAreFound() { #expect(Self.names.count >= 11) }

    @Test(arguments: names)
    func exampleIsOneShortFileNamedAfterItsFolder(name: String) throws {
        let folder = Self.folder.appending(path: name)
        let words = name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["\(words.joined()).swift"])
        let text = try String(contentsOf: folder.appending(path: "\(words.joined()).swift"), encoding: .utf8)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 60)
        #expect(text.split(separator: "\n").first { !$0.hasPrefix("import ") }?.hasPrefix("/// ") == true)
    }

    @Test(arguments: names)
    func exampleIsRunByATest(name: String) throws {
        let tests = Repository.examples.appending(path: "Tests/SmallExampleTests")
        let files = try FileManager.default.contentsOfDirectory(at: tests, includingPropertiesForKeys: nil)
        let isRun = try files.contains {
            try String(contentsOf: $0, encoding: .utf8).contains("Example(\"\(name)\").run(")
        }
        #expect(isRun)
    }

    @Test(arguments: [
        ("animation-to-frames", ["/no/such.gif", "/dev/null/x"]),
        ("decrypting-loader", ["/no/such", "/no/such.sealed"]),
        ("first-load", ["/no/such.png"]), ("own-context-key", ["/no/such.png"]),
        ("prefetch-a-list", ["https://example.test/a.png"]),
        ("progress-and-previews", ["https://example.test/a.png", "/dev/null/x"]),
        ("thumbnail-batch", ["/no/such", "/dev/null/x"]), ("traced-load", ["/no/such.png"]),
        ("transform-chain", [Repository.fixture("png-3x5.png"), "/no/such/a.png"]),
    ])
    func failureIsASentenceAndStatus1(name: String, arguments: [String]) async throws {
        // A folder for caches cannot be created below a device.
        let run = try await Example(name).run(arguments, environment: ["XDG_CACHE_HOME": "/dev/null/x"])
        #expect(run.status == 1)
        let lines = run.errors.split(separator: "\n")
        #expect(lines.count == 1 && lines[0].hasPrefix("\(name): ") && lines[0].count < 200, "\(run.errors)")
    }

    @Test(arguments: names.filter { !["cell-reuse", "custom-pipeline"].contains($0) })
    func exampleWithoutArgumentsPrintsItsUsage(name: String) async throws {
        let run = try await Example(name).run()
        #expect(run.status == 0)
        #expect(run.lines.count == 1 && run.lines[0].hasPrefix("usage: \(name) "))
    }
}
