#if HTTP
    import AsyncHTTPClient
    import DarkroomCore
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    @testable import DarkroomHTTP

    /// Entries that one loader fetched into a cache that it shares with another, over real connections.
    @Suite(.bounded)
    struct SharedCacheTests {
        typealias Configure = @Sendable (inout HTTPLoader.Configuration) -> Void

        /// An origin, and redirects on this machine; everything is cacheable for an hour.
        private static let routes: [String: LoopbackServer.Handler] = [
            "/picture": { _, reply in
                try await reply.send(200, ["Cache-Control": "max-age=3600", "ETag": "\"1\""], Gallery.picture(10))
            },
            "/near": { _, reply in
                try await reply.send(301, ["Location": "/picture", "Cache-Control": "max-age=3600"])
            },
            "/away": { request, reply in
                let port = request.headers["host"]?.split(separator: ":").last ?? ""
                let fields = ["Location": "http://localhost:\(port)/picture", "Cache-Control": "max-age=3600"]
                try await reply.send(301, fields)
            },
        ]

        private let images = FakeImageCache()
        private let data = FakeDataCache()

        private func manager(_ loader: any ImageLoader, sharesMemory: Bool) throws -> ImageManager {
            try ImageManager { [images, data] in
                $0.install(loader)
                $0.install(PlainCoder())
                $0.imageCache = sharesMemory ? images : nil
                $0.dataCache = data
                $0.resultFormat = .plain
            }
        }

        /// Returns whether a manager with `guest` gets what one with `host` has fetched: immediately, as a thumbnail,
        /// and with every cache use.
        private func isShared(
            _ url: URL, by host: any ImageLoader, with guest: any ImageLoader, sharesMemory: Bool = false,
            _ context: ImageContext = .init()
        ) async throws -> Bool {
            var context = context
            context.waitsForStore = true
            var small = context
            small.thumbnail = .fit(1, 1)
            let first = try manager(host, sharesMemory: sharesMemory)
            for context in [context, small] { _ = try await first.load(url, context: context) }
            var found: Set<Bool> = []
            for var context in [ImageContext(), ImageContext { $0.thumbnail = .fit(1, 1) }] {
                let second = try manager(guest, sharesMemory: sharesMemory)
                found.insert(await second.isCached(url, context: context))
                if sharesMemory { found.insert(second.cachedImage(for: url, context: context) != nil) }
                found.insert(await second.explain(url, context: context).origin.map { $0 != .network } ?? false)
                context.cacheUse = .cacheOnly
                found.insert((try? await second.load(url, context: context)) != nil)
            }
            #expect(found.count == 1)
            return found.contains(true)
        }

        private func loader(_ configure: Configure) -> HTTPLoader {
            HTTPLoader {
                ($0.firstByteTimeout, $0.idleTimeout) = (nil, nil)
                configure(&$0)
            }
        }

        @Test(
            .bug(id: "Fix cached pictures handed to requests that may not reach their source"),
            arguments: [false, true], ["/picture", "/near", "/away"])
        func tightenedAddressPolicyTakesEffectImmediately(sharesMemory: Bool, path: String) async throws {
            try await LoopbackServer.serving(Self.routes) { server in
                let all = HTTPLoader.AddressPolicy.networks("127.0.0.0/8", "::1")
                let hosts: [any ImageLoader] = [HTTPLoader(), loader { $0.addressPolicy = all }]
                for host in hosts {
                    images.removeAll()
                    try await data.removeAll()
                    let guests: [(HTTPLoader.AddressPolicy, Bool)] = [
                        (.publicOnly, false), (.networks("10.0.0.0/8"), false), (all, true),
                        (.publicOnly.or(all), true), (.any, true),
                    ]
                    for (policy, isAllowed) in guests {
                        let guest = loader { $0.addressPolicy = policy }
                        let isShared = try await isShared(
                            server.url(path), by: host, with: guest, sharesMemory: sharesMemory)
                        // If the first loader had no policy, only literal addresses were recorded.
                        let isKnown = path != "/away" || host.restrictsAccess
                        #expect(isShared == (isAllowed && (isKnown || !guest.restrictsAccess)))
                    }
                }
                #expect(server.requests.allSatisfy { $0.method == "GET" })
            }
        }

        @Test func refusedURLFailsBeforeAnyLookup() async throws {
            try await LoopbackServer.serving(Self.routes) { server in
                let first = try manager(HTTPLoader(), sharesMemory: true)
                _ = try await first.load(server.url("/picture"), context: ImageContext { $0.waitsForStore = true })
                let count = server.requests.count
                let rules: [(String, Configure)] = [
                    ("addressPolicy", { $0.addressPolicy = .publicOnly }), ("schemes", { $0.schemes = ["https"] }),
                    ("ports", { $0.ports = [443] }),
                    ("not listed", { $0.checkURL = { _ in throw ImageError(.refused, .load, "not listed") } }),
                ]
                for (word, rule) in rules {
                    let second = try manager(loader(rule), sharesMemory: true)
                    for use in [CacheUse.standard, .cacheOnly, .refresh] {
                        try await expectError(.refused, mentioning: word) {
                            _ = try await second.load(
                                server.url("/picture"), context: ImageContext { $0.cacheUse = use })
                        }
                    }
                    #expect(await second.explain(server.url("/picture")).failure?.kind == .refused)
                }
                #expect(server.requests.count == count)
            }
        }

        @Test func rulesApplyToTheRedirectsOfACachedImage() async throws {
            try await LoopbackServer.serving(Self.routes) { server in
                let origin = server.url("", host: "localhost").absoluteString
                let rules: [(Configure, Bool)] = [
                    ({ $0.checkURL = { if $0.absoluteString.hasPrefix(origin) { throw CancellationError() } } }, false),
                    ({ $0.checkURL = { if $0.path == "/elsewhere" { throw CancellationError() } } }, true),
                ]
                for (rule, isAllowed) in rules {
                    let isShared = try await isShared(server.url("/away"), by: HTTPLoader(), with: loader(rule))
                    #expect(isShared == isAllowed)
                }
            }
        }

        @Test func entryFetchedWithACredentialRequiresOne() async throws {
            try await LoopbackServer.serving(Self.routes) { server in
                let (near, far) = (server.url("").absoluteString, server.url("", host: "localhost").absoluteString)
                let cookies = CookieStore()
                cookies.set("a=b; Path=/picture", for: server.url("/picture"))
                let ways: [(Configure, path: String)] = [
                    ({ $0.credentials = [near: .bearer("a")] }, "/picture"),
                    ({ $0.credentials = [near: .bearer("a")] }, "/near"),
                    ({ $0.credentials = [far: .bearer("a")] }, "/away"), ({ $0.cookies = cookies }, "/picture"),
                    ({ $0.cookies = cookies }, "/near"), ({ $0.headers["X-Api-Key"] = "1" }, "/picture"),
                    ({ $0.headers["X-Api-Key"] = "1" }, "/away"),
                ]
                for (index, way) in ways.enumerated() {
                    for sharesMemory in [false, true] {
                        images.removeAll()
                        try await data.removeAll()
                        let (url, host) = (server.url(way.path), loader(way.0))
                        let (others, own) = (loader { $0.cookies = CookieStore() }, loader(way.0))
                        #expect(
                            try await !isShared(url, by: host, with: others, sharesMemory: sharesMemory), "\(index)")
                        #expect(try await isShared(url, by: host, with: own, sharesMemory: sharesMemory), "\(index)")
                        let elsewhere = loader { $0.credentials = ["http://example.com": .bearer("a")] }
                        #expect(
                            try await !isShared(url, by: host, with: elsewhere, sharesMemory: sharesMemory), "\(index)")
                    }
                }
            }
        }

        @Test func credentialOfTheContextCounts() async throws {
            try await LoopbackServer.serving(Self.routes) { server in
                let port = try #require(server.url("/").port)
                let secret = ImageContext { $0.httpCredential = .bearer("a") }
                let manager = try manager(HTTPLoader(), sharesMemory: true)
                _ = try await manager.load(server.url("/picture"), context: secret)
                #expect(manager.cachedImage(for: server.url("/picture"), context: secret) != nil)
                #expect(manager.cachedImage(for: server.url("/picture")) == nil)
                let fields = ImageContext { $0.httpHeaders = ["authorization": "Bearer b"] }
                #expect(manager.cachedImage(for: server.url("/picture"), context: fields) != nil)
                // The next load without a credential fetches it for all.
                #expect(try await manager.load(server.url("/picture")).origin == .network)
                #expect(manager.cachedImage(for: server.url("/picture")) != nil)
                let named = try #require(URL(string: "http://me:secret@127.0.0.1:\(port)/near"))
                _ = try await manager.load(named)
                let image = try #require(manager.cachedImage(for: named))
                #expect(
                    image.metadata.original?.route?.hops.map(\.credentials) == [["authorization"], ["authorization"]])
                #expect(image.metadata.original?.route?.hops.map(\.address) == ["127.0.0.1", "127.0.0.1"])
                #expect("\(image.metadata)".contains("secret") == false)
            }
        }

        @Test func clientCertificateIsACredentialOnSecureConnections() throws {
            var hop = try RedirectHop(
                for: LoadRequest(url: #require(URL(string: "https://a/"))), configuration: .init(),
                sendsClientCertificate: true)
            #expect(try hop.credentials == ["client certificate"])
            try hop.follow(to: #require(URL(string: "http://a/")))
            #expect(try hop.credentials.isEmpty)
        }

        @Test func cookieSetByTheResponseWasNotSent() async throws {
            let routes: [String: LoopbackServer.Handler] = [
                "/": { _, reply in try await reply.send(200, ["Set-Cookie": "a=b"], Gallery.picture(1)) }
            ]
            try await LoopbackServer.serving(routes) { server in
                let loader = HTTPLoader { $0.cookies = CookieStore() }
                let hops = try await (0..<2).asyncMap { _ in
                    try await loader.load(LoadRequest(url: server.url("/"))).route?.hops.map(\.credentials)
                }
                #expect(hops == [[[]], [["cookie"]]])
            }
        }

        @Test func loaderMeetsTheContract() async throws {
            try await LoopbackServer.serving(Self.routes) { server in
                let url = server.url("/away")
                let loaders: [any ImageLoader] = [
                    HTTPLoader(), loader { $0.addressPolicy = .networks("127.0.0.1", "::1") },
                    loader { $0.headers["X-Api-Key"] = "1" }, loader { $0.checkURL = { _ in } }.limited().retrying(),
                ]
                for loader in loaders {
                    let context = ImageContext { $0.httpCredential = .basic(user: "me", password: "secret") }
                    try await LoaderContract(loader, context: context).checkAccess(of: url)
                }
            }
        }
    }

    extension Range<Int> {
        fileprivate func asyncMap<Value>(_ body: (Int) async throws -> Value) async rethrows -> [Value] {
            var values: [Value] = []
            for element in self { values.append(try await body(element)) }
            return values
        }
    }
#endif
