#if HTTP
    import DarkroomCore
    import FoundationEssentials
    import TestSupport
    import Testing

    @testable import DarkroomHTTP
    import DarkroomTestKit

    @Suite(.bounded)
    struct CookieTests {
        private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

        /// Returns the cookies sent to `target` by a store that received `fields` from `origin`.
        private func sent(
            _ fields: [String], from origin: String = "https://www.a.test/x/y", to target: String,
            sharing domains: Set<String> = []
        ) throws -> String? {
            let store = CookieStore(sharedDomains: domains)
            store.store(fields, from: try url(origin))
            return store.header(for: try url(target))
        }

        @Test(arguments: [
            ("a=1", "a=1"), (" a = 1 ; Path=/", "a=1"), ("a=\"1\"", "a=\"1\""), ("a=", "a="), ("a=b=c", "a=b=c"),
            ("a", nil),
            ("=1", nil), ("", nil), ("a=1\u{7}", nil), ("a=1; Max-Age=1000", "a=1"), ("a=1; Max-Age=0", nil),
            ("a=1; Max-Age=-5", nil), ("a=1; max-age=x", "a=1"), ("a=1; Expires=Sun, 06 Nov 1994 08:49:37 GMT", nil),
            ("a=1; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Max-Age=9", "a=1"), ("a=1; Expires=never", "a=1"),
            ("a=1; Max-Age=-99999999999999999999", nil), ("a=1; Max-Age=-", "a=1"),
            ("a=1; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Max-Age=99999999999999999999", "a=1"),
            ("a=1; Expires=Wed, 21-Oct-99 07:28:00 GMT", nil), ("a=1; Expires=Sun, 06 Nov 2394 08:49:37 GMT", "a=1"),
            ("a=1; Path=/x", "a=1"), ("a=1; Path=/x/y", "a=1"), ("a=1; Path=/x/", "a=1"), ("a=1; Path=/z", nil),
            ("a=1; Path=x", "a=1"), ("a=1; Secure", "a=1"), ("a=1; Domain=www.a.test", "a=1"),
            ("a=1; Domain=b.test", nil),
            ("a=1; Domain=.a.test", "a=1"), ("a=1; Domain=ww.a.test", nil), ("a=1; Domain=", "a=1"),
            ("__Secure-a=1", nil), ("__Secure-a=1; Secure", "__Secure-a=1"), ("__Host-a=1; Secure", nil),
            ("__Host-a=1; Secure; Path=/", "__Host-a=1"), ("__Host-a=1; Secure; Path=/; Domain=www.a.test", nil),
        ])
        func fieldIsParsed(_ field: String, _ expected: String?) throws {
            #expect(try sent([field], to: "https://www.a.test/x/y") == expected)
        }

        @Test(arguments: [
            ("https://www.a.test/x/y", true), ("https://www.a.test/x", true), ("https://www.a.test/x/z?q", true),
            ("https://WWW.A.TEST:8443/x/", true), ("http://www.a.test/x/y", true), ("https://www.a.test/", false),
            ("https://www.a.test/xx", false), ("https://a.test/x/y", false), ("https://b.www.a.test/x/y", false),
            ("https://wwwxa.test/x/y", false),
        ])
        func cookieIsSentToItsHostAndPath(_ target: String, _ isSent: Bool) throws {
            #expect(try sent(["a=1"], to: target) == (isSent ? "a=1" : nil))
            // `Domain` has no effect unless the domain is declared as shared.
            #expect(try sent(["a=1; Domain=a.test"], to: target) == (isSent ? "a=1" : nil))
        }

        @Test func domainAttributeAppliesWithinSharedDomains() throws {
            let field = ["a=1; Domain=a.test; Path=/"]
            for target in ["https://a.test/", "https://b.a.test/", "https://www.a.test/"] {
                #expect(try sent(field, to: target, sharing: ["A.test"]) == "a=1")
                #expect(try sent(field, to: target, sharing: ["b.test"]) == (target.contains("www") ? "a=1" : nil))
            }
            #expect(try sent(field, to: "https://ba.test/", sharing: ["a.test"]) == nil)
            // Sharing a domain does not share its parent.
            #expect(try sent(["a=1; Domain=test; Path=/"], to: "https://c.test/", sharing: ["a.test"]) == nil)
            #expect(
                try sent(["a=1; Domain=0.1"], from: "http://127.0.0.1/", to: "http://10.0.0.1/", sharing: ["0.1"])
                    == nil)
        }

        @Test func secureCookieRequiresASecureConnection() throws {
            #expect(try sent(["a=1; Secure; Path=/"], to: "http://www.a.test/") == nil)
            #expect(try sent(["a=1; Secure; Path=/"], from: "http://www.a.test/", to: "https://www.a.test/") == nil)
            let store = CookieStore()
            store.set("a=1; Secure; Path=/", for: try url("https://a.test/"))
            store.set("a=2; Path=/", for: try url("http://a.test/"))
            #expect(store.header(for: try url("https://a.test/")) == "a=1")
        }

        @Test func longerPathsComeFirstThenOlderCookies() throws {
            let fields = ["a=1; Path=/", "b=2; Path=/x", "c=3; Path=/", "a=4; Path=/"]
            #expect(try sent(fields, to: "https://www.a.test/x/y") == "b=2; a=4; c=3")
        }

        @Test func expiredCookieRemovesTheStoredOne() throws {
            let store = CookieStore()
            store.set("a=1", for: try url("https://a.test/"))
            #expect(store.count == 1)
            store.set("a=1; Max-Age=0", for: try url("https://a.test/"))
            #expect(store.count == 0)
        }

        @Test func storeIsBounded() throws {
            let store = CookieStore(countLimit: 60)
            store.store((0..<10_000).map { "c\($0)=1" }, from: try url("https://a.test/"))
            #expect(store.count == 50)
            #expect(store.header(for: try url("https://a.test/"))?.hasSuffix("c9999=1") == true)
            for number in 0..<100 { store.set("a=1", for: try url("https://h\(number).test/")) }
            #expect(store.count == 60)
            #expect(store.header(for: try url("https://h99.test/")) == "a=1")
            store.set("a=" + String(repeating: "x", count: 5000), for: try url("https://big.test/"))
            #expect(store.header(for: try url("https://big.test/")) == nil)
            store.removeAll()
            #expect(store.count == 0)
        }

        private let routes: [String: LoopbackServer.Handler] = [
            "/login": { _, reply in try await reply.send(302, ["Location": "/", "Set-Cookie": "session=1"]) },
            "/": { _, reply in try await reply.send() },
        ]

        @Test func cookiesAreStoredAndSent() async throws {
            try await LoopbackServer.serving(routes) { server in
                let store = CookieStore()
                let loader = HTTPLoader { $0.cookies = store }
                let response = try await loader.load(.init(url: server.url("/login")))
                #expect(response.metadata?.headers["set-cookie"] == nil)
                _ = try await loader.data(server.url("/", host: "localhost"))
                _ = try await loader.data(server.url("/"), context: .init { $0.httpHeaders = ["Cookie": "own=1"] })
                #expect(server.requests.map { $0.headers["cookie"] } == [nil, "session=1", nil, "own=1"])
            }
        }

        @Test func cookiesAreDisabledByDefault() async throws {
            try await LoopbackServer.serving(routes) { server in
                _ = try await HTTPLoader().data(server.url("/login"))
                #expect(server.requests.map { $0.headers["cookie"] } == [nil, nil])
            }
        }
    }
#endif
