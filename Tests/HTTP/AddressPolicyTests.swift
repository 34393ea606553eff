#if HTTP
    import AsyncHTTPClient
    import DarkroomCore
    import DarkroomTestKit
    import Dispatch
    import FoundationEssentials
    import Synchronization
    import TestSupport
    import Testing

    @testable import DarkroomHTTP

    @Suite(.bounded)
    struct AddressPolicyTests {
        private let lookups = Recorder<String>()

        /// Returns a loader that resolves only `names`.
        private func loader(
            _ policy: HTTPLoader.AddressPolicy, _ names: [String: [String]],
            _ configure: (inout HTTPLoader.Configuration) -> Void = { _ in }
        ) -> HTTPLoader {
            HTTPLoader {
                // No timeouts, because the machine may be busy.
                ($0.firstByteTimeout, $0.idleTimeout) = (nil, nil)
                $0.addressPolicy = policy
                $0.lookup = { [lookups] host in
                    lookups.note(host)
                    return (names[host] ?? []).compactMap(IPAddress.init)
                }
                configure(&$0)
            }
        }

        private func serving(_ body: @Sendable (LoopbackServer) async throws -> Void) async throws {
            let routes: [String: LoopbackServer.Handler] = [
                "/": { _, reply in try await reply.send(200, [:], Data([1, 2])) },
                "/away": { request, reply in
                    let port = request.headers["host"]?.split(separator: ":").last ?? ""
                    try await reply.redirect(to: "http://away.test:\(port)/")
                },
            ]
            try await LoopbackServer.serving(routes, body)
        }

        private func expectRefusal(_ loader: HTTPLoader, _ url: URL) async throws {
            let error = try await expectError(.refused, mentioning: "addressPolicy") { _ = try await loader.data(url) }
            #expect(!"\(error)".contains("127"))
            #expect(!loader.remembers(error))
        }

        @Test(arguments: ["127.0.0.1", "localhost"])
        func localServerIsReachableOnlyIfAllowed(_ host: String) async throws {
            try await serving { server in
                let url = server.url("/", host: host)
                let refused = HTTPLoader { $0.addressPolicy = .publicOnly }
                try await expectError(.refused, mentioning: "addressPolicy") { _ = try await refused.data(url) }
                #expect(server.requests.isEmpty)
                let networks = HTTPLoader.AddressPolicy.networks("127.0.0.0/8", "::1")
                for policy in [.any, networks, .hosts(host.uppercased()), .publicOnly.or(networks)] {
                    #expect(try await HTTPLoader { $0.addressPolicy = policy }.data(url) == Data([1, 2]))
                }
            }
        }

        @Test func nameIsResolvedOnceAndSentInTheRequest() async throws {
            try await serving { server in
                let loader = loader(.networks("127.0.0.1"), ["pictures.test": ["127.0.0.1"]])
                let data = try await loader.data(server.url("/", host: "pictures.test"))
                #expect(data == Data([1, 2]))
                #expect(lookups.values == ["pictures.test"])
                #expect(server.requests.first?.headers["host"]?.hasPrefix("pictures.test:") == true)
            }
        }

        @Test func changedAddressIsCheckedAgainForEachRequest() async throws {
            try await serving { server in
                let results = Mutex(["127.0.0.1", "10.0.0.1"])
                let loader = HTTPLoader {
                    $0.addressPolicy = .networks("127.0.0.0/8")
                    $0.lookup = { _ in results.withLock { [$0.removeFirst()] }.compactMap(IPAddress.init) }
                }
                // A single lookup: the second result has not been used yet.
                #expect(try await loader.data(server.url("/", host: "moving.test")) == Data([1, 2]))
                #expect(results.withLock(\.count) == 1)
                // The old connection is still open, and must not be used.
                try await expectRefusal(loader, server.url("/", host: "moving.test"))
                #expect(server.requests.count == 1)
            }
        }

        @Test(arguments: [["127.0.0.1", "10.0.0.1"], ["10.0.0.1", "127.0.0.1"], ["127.0.0.1", "64:ff9b::10.0.0.1"]])
        func oneForbiddenAddressForbidsTheHost(_ addresses: [String]) async throws {
            try await serving { server in
                let loader = loader(.networks("127.0.0.1", "64:ff9b::/96"), ["mixed.test": addresses])
                try await expectRefusal(loader, server.url("/", host: "mixed.test"))
                #expect(server.requests.isEmpty)
            }
        }

        @Test func redirectToAForbiddenAddressIsNotFollowed() async throws {
            try await serving { server in
                let names = ["pictures.test": ["127.0.0.1"], "away.test": ["127.0.0.2"]]
                let url = server.url("/away", host: "pictures.test")
                try await expectRefusal(loader(.networks("127.0.0.1"), names), url)
                #expect(server.requests.map(\.path) == ["/away"])
                #expect(lookups.values == ["pictures.test", "away.test"])
            }
        }

        @Test func nextAddressIsTriedIfOneIsUnreachable() async throws {
            try await serving { server in
                let loader = loader(.networks("127.0.0.0/8"), ["pictures.test": ["127.0.0.2", "127.0.0.1"]])
                let data = try await loader.data(server.url("/", host: "pictures.test"))
                #expect(data == Data([1, 2]))
            }
        }

        @Test(arguments: [
            "127.1", "0x7f.0.0.1", "0177.0.0.1", "0x7f000001", "2130706433", "127.0.0.1.", "127.0.0.01",
            "[fe80::1%25lo]",
            "a..b", "-.127", "a%00b", "b%C3%BCcher.test", "1.2.3.4.5", "a.0xg",
        ])
        func hostInAnUnusualFormIsRefused(_ host: String) async throws {
            let loader = loader(.init { _, _ in true }, [:])
            try await expectError(.refused, mentioning: "addressPolicy") {
                _ = try await loader.data(#require(URL(string: "http://\(host):1/")))
            }
            #expect(lookups.values.isEmpty)
        }

        @Test(arguments: [
            "10.0.0.1", "169.254.169.254", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]",
            "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[fd00::1]",
        ])
        func addressOfAPrivateNetworkIsRefused(_ host: String) async throws {
            let url = try #require(URL(string: "http://\(host):1/"))
            try await expectError(.refused, mentioning: "addressPolicy") {
                _ = try await loader(.publicOnly, [:]).data(url)
            }
            #expect(lookups.values.isEmpty)
        }

        @Test func cancelledLookupReturnsAtOnce() async {
            let task = Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                return try await SystemLookup().addresses(of: "localhost")
            }
            await #expect(throws: (any Error).self) { try await task.value }
        }

        @Test func hangingLookupsOfAHostShareAThread() async throws {
            let (started, hang, address) = (Gate(), DispatchSemaphore(value: 0), try #require(IPAddress("192.0.2.1")))
            let calls = Recorder<String>()
            let lookup = SystemLookup { host in
                calls.note(host)
                if host == "slow.test" {
                    _ = started.arrive()
                    hang.wait()
                    // Once open, it stays open.
                    hang.signal()
                }
                return [address]
            }
            try await withThrowingTaskGroup(of: [IPAddress].self) { group in
                for _ in 0..<100 { group.addImmediateTask { try await lookup.addresses(of: "slow.test") } }
                await started.waitForArrivals(1)
                #expect(try await lookup.addresses(of: "other.test") == [address])
                hang.signal()
                for try await addresses in group { #expect(addresses == [address]) }
            }
            #expect(calls.values == ["slow.test", "other.test"])
        }

        @Test func manyHangingLookupsHoldUpNoOther() async throws {
            let (started, hang, address) = (Gate(), DispatchSemaphore(value: 0), try #require(IPAddress("192.0.2.1")))
            let lookup = SystemLookup { host in
                if host != "other.test" {
                    started.arrive()
                    hang.wait()
                    // Once open, it stays open.
                    hang.signal()
                }
                return [address]
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<48 {
                    group.addImmediateTask { _ = try await lookup.addresses(of: "slow\(index).test") }
                }
                await started.waitForArrivals(48)
                #expect(try await lookup.addresses(of: "other.test") == [address])
                hang.signal()
                try await group.waitForAll()
            }
        }

        @Test func hostWithoutAddressIsANetworkError() async throws {
            let url = try #require(URL(string: "http://nowhere.invalid/"))
            try await expectError(.network) { _ = try await loader(.publicOnly, [:]).data(url) }
            try await expectError(.network, mentioning: "nowhere.invalid") {
                _ = try await HTTPLoader { $0.addressPolicy = .publicOnly }.data(url)
            }
        }

        @Test func hangingLookupEndsInTheConnectTimeout() async throws {
            let never = Gate()
            let loader = HTTPLoader {
                $0.addressPolicy = .publicOnly
                $0.connectTimeout = .milliseconds(20)
                $0.lookup = { _ in
                    try await never.waitUnlessCancelled()
                    return []
                }
            }
            try await expectError(.timedOut, mentioning: "connectTimeout") {
                _ = try await loader.data(#require(URL(string: "http://slow.test/")))
            }
        }

        @Test func nameOverridesOfTheClientAreChecked() async throws {
            try await serving { server in
                var client = HTTPClient.Configuration()
                client.dnsOverride = ["pictures.test": "127.0.0.1"]
                var configuration = HTTPLoader.Configuration()
                configuration.addressPolicy = .publicOnly
                let url = server.url("/", host: "pictures.test")
                try await expectRefusal(HTTPLoader(configuration, client: client), url)
                configuration.addressPolicy = .networks("127.0.0.1")
                #expect(try await HTTPLoader(configuration, client: client).data(url) == Data([1, 2]))
            }
        }

        @Test func manyHostsDoNotInterruptARunningTransfer() async throws {
            try await serving { server in
                let loader = HTTPLoader {
                    $0.addressPolicy = .networks("127.0.0.1")
                    $0.lookup = { _ in [IPAddress("127.0.0.1")].compactMap(\.self) }
                }
                let response = try await loader.load(LoadRequest(url: server.url("/", host: "first.test")))
                for number in 0..<50 {
                    #expect(try await loader.data(server.url("/", host: "h\(number).test")) == Data([1, 2]))
                }
                #expect(try await response.data() == Data([1, 2]))
                await loader.shutdown()
                try await expectError(.refused, mentioning: "shut down") {
                    _ = try await loader.data(server.url("/", host: "first.test"))
                }
            }
        }

        @Test func schemesAndPortsCanBeRestricted() async throws {
            try await serving { server in
                try await expectError(.refused, mentioning: "schemes") {
                    _ = try await HTTPLoader { $0.schemes = ["https"] }.data(server.url("/"))
                }
                try await expectError(.refused, mentioning: "ports") {
                    _ = try await HTTPLoader { $0.ports = [80, 443] }.data(server.url("/"))
                }
                #expect(server.requests.isEmpty)
                let port = try #require(server.url("/").port)
                let data = try await HTTPLoader { ($0.schemes, $0.ports) = (["http"], [port]) }.data(server.url("/"))
                #expect(data == Data([1, 2]))
            }
        }

        @Test(arguments: ["0", "65536", "99999"])
        func portOutOfRangeIsInvalid(_ port: String) async throws {
            let routes: [String: LoopbackServer.Handler] = [
                "/": { _, reply in try await reply.redirect(to: "http://127.0.0.1:\(port)/") }
            ]
            try await LoopbackServer.serving(routes) { server in
                try await expectError(.invalidURL) { _ = try await HTTPLoader().data(server.url("/")) }
                try await expectError(.invalidURL) {
                    _ = try await HTTPLoader().data(#require(URL(string: "http://127.0.0.1:\(port)/")))
                }
            }
        }
    }
#endif
