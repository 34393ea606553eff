import Testing

/// The built server under limits on the number of open files, of which its clients must not use up all.
@Suite(.bounded)
struct OpenFileLimitTests {
    @Test func aLowLimitIsRaisedForTheConnections() async throws {
        try await ServerProcess.run(["--http-connections", "300"], after: "ulimit -Sn 100") { server in
            let limit = try #require(server.openFileLimit)
            // Room for the connections, the reserve and the files of the server, but not all that the system allows.
            #expect(limit == 300 + 32 + 1024)
            #expect(try await server.get("/health").status == 200)
        }
    }

    @Test func aSufficientLimitRemains() async throws {
        try await ServerProcess.run(["--http-connections", "300"], after: "ulimit -n 1500") { server in
            #expect(server.openFileLimit == 1500)
        }
    }

    /// Connections to the port for metrics count as well.
    @Test(arguments: [("300", "0", "587"), ("100", "1", "519")])
    func connectionsBeyondTheLimitAreRefusedAtTheStart(connections: String, port: String, limit: String) async throws {
        let settings = ["--http-connections", connections, "--metrics-port", port]
        let end = await #expect(throws: ServerProcess.ServerEnd.self) {
            try await ServerProcess.run(settings, after: "ulimit -n \(limit)") { _ in }
        }
        let text = try #require(end?.text)
        #expect(text.contains("http.connections requires a limit of at least"))
        #expect(text.contains("open files, and the system allows \(limit)"))
    }
}
