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
                    try limitOpenFiles(to: try openFileCount() + 400)
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
                    let count = try openFileCount()
                    try limitOpenFiles(to: 0)
                    try await expectError(.busy, mentioning: "too many open files") {
                        _ = try await loader.data(server.url("/"))
                    }
                    try limitOpenFiles(to: count + 100)
                    #expect(try await loader.data(server.url("/")) == Data([1]))
                }
            }
        }
    }

    private func openFileCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    private func limitOpenFiles(to count: Int) throws {
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = rlim_t(count)
        guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            throw ImageError(.internal, .load, "the limit cannot be set: \(errno)")
        }
    }
#endif
