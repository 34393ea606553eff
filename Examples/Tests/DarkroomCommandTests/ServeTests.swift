import DarkroomTestKit
import Foundation
import Testing

struct ServeTests {
    /// Returns the path of a link to the program in `folder`, beside which there is nothing else.
    private func link(in folder: URL) throws -> String {
        let link = folder.appending(path: "darkroom").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: Process.built("darkroom").path)
        return link
    }

    @Test func serverIsStartedWithTheFolder() async throws {
        try await withTemporaryDirectory { folder in
            let server = folder.appending(path: "thumbnail-server")
            try Data("#!/bin/sh\necho \"$@\"\nkill -TERM $$\n".utf8).write(to: server)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: server.path)
            let command = "'\(try link(in: folder))' serve '\(folder.path)' --port 9000"
            let run = try await bash("PATH=/no/such/folder; \(command); echo $?")
            let settings = "--http-host 127.0.0.1 --http-port 9000 --signature-insecure true --gallery true"
            #expect(
                run.lines == ["\(settings) --sources-samples \(folder.path)", "143"], "the server receives signals")
            #expect(run.errors.contains("http://127.0.0.1:9000/ shows \(folder.path)"))
        }
    }

    @Test func missingServerIsAnError() async throws {
        try await withTemporaryDirectory { folder in
            let run = try await bash("PATH=/no/such/folder; '\(try link(in: folder))' serve '\(folder.path)'")
            #expect(run.status == 1)
            #expect(run.errors.contains("thumbnail-server is neither beside this program nor in PATH"))
        }
    }

    @Test(arguments: [["/no/such/folder"], ["/", "--port", "0"], ["/", "--port", "70000"]])
    func wrongArgumentsAreRefused(arguments: [String]) async throws {
        #expect(try await darkroom(["serve"] + arguments).status == 2)
    }
}
