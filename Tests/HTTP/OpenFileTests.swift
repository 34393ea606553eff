#if HTTP && os(Linux)
    import AsyncHTTPClient
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomPlatform
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    /// Loads in processes that may open few files.
    @Suite(.bounded)
    struct OpenFileTests {
        /// The connections to more hosts than there may be open files could all be used again.
        @Test(arguments: [false, true]) func connectionsToEarlierHostsAreClosed(checksAddresses: Bool) async {
            await #expect(processExitsWith: .success) { [checksAddresses = checksAddresses as Bool] in
                let hosts = (0..<400).map { "host\($0).test" }
                var client = HTTPClient.Configuration()
                client.dnsOverride = Dictionary(uniqueKeysWithValues: hosts.map { ($0, "127.0.0.1") })
                var configuration = HTTPLoader.Configuration()
                if checksAddresses { configuration.addressPolicy = .networks("127.0.0.0/8") }
                let loader = HTTPLoader(configuration, client: client)
                try await LoopbackServer.serving(["/": { _, reply in try await reply.send(200, [:], Data([1])) }]) {
                    // Its threads have started after that.
                    _ = try await loader.data($0.url("/"))
                    // A connection has two ends here, and closing takes a moment.
                    ProcessLimit.openFileCount(try openFileCount() + 400).set()
                    for host in hosts { #expect(try await loader.data($0.url("/", host: host)) == Data([1])) }
                }
            }
        }

        @Test func originIsNotBlamedIfNoMoreFilesCanBeOpened() async {
            await #expect(processExitsWith: .success) {
                let loader = HTTPLoader()
                let routes: [String: LoopbackServer.Handler] = [
                    "/": { _, reply in try await reply.send(200, ["Connection": "close"], Data([1])) }
                ]
                try await LoopbackServer.serving(routes) { server in
                    _ = try await loader.data(server.url("/"))
                    let limit = ProcessLimit.openFileCount(0)
                    limit.set()
                    try await expectError(.busy, mentioning: "too many open files") {
                        _ = try await loader.data(server.url("/"))
                    }
                    limit.lift()
                    #expect(try await loader.data(server.url("/")) == Data([1]))
                }
            }
        }
    }

    private func openFileCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
#endif
