#if HTTP
    import DarkroomCore
    import DarkroomTestKit
    import FoundationEssentials
    import NIOHTTP1
    import TestSupport
    import Testing

    @testable import DarkroomHTTP

    /// Arbitrary responses of an origin server. None may crash the process, or have effects beyond its origin.
    @Suite(.bounded)
    struct HostileResponseTests {
        // A separate thread: on the shared pool, this much work would delay the timeouts of tests that run in parallel.
        private static let thread = WorkExecutor(name: "hostile-responses", width: 1)

        private static let cookies = [
            "session=1; Path=/x; Domain=a.test; Secure; HttpOnly; Max-Age=1000", "__Host-a=1; Secure; Path=/",
            "a=1; Expires=Sun, 06 Nov 2394 08:49:37 GMT", "b=\"2\"; expires=Wed, 21-Oct-99 07:28:00 GMT; path=/x/y",
        ]

        @Test func cookiesAreSentOnlyToTheirHost() async throws {
            try await Self.thread.run {
                let origin = try #require(URL(string: "https://www.a.test/x/y"))
                let others = try ["https://b.test/x/y", "https://a.test/x/y", "http://wwwxa.test/"].map {
                    try #require(URL(string: $0))
                }
                let store = CookieStore(countLimit: 100)
                var mutator = TextMutator(Self.cookies, seed: 61)
                for _ in 0..<1000 {
                    store.set(mutator.next(), for: origin)
                    #expect(store.count <= 50)
                    for other in others { #expect(store.header(for: other) == nil) }
                }
                let header = try #require(store.header(for: origin))
                #expect(header.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
            }
        }

        @Test func longCookiesTakeLinearTime() async throws {
            try await Self.thread.run {
                let origin = try #require(URL(string: "https://www.a.test/x/y"))
                let store = CookieStore()
                for unit in [";", "=", "a=1;", ";Path=/", " ", "1 "] {
                    store.set("a=1;" + TextMutator.longText(repeating: unit), for: origin)
                    store.set("a=1; Expires=" + TextMutator.longText(repeating: unit), for: origin)
                }
                #expect(store.count <= 1)
            }
        }

        @Test func lookalikesAreDistinctCookiesAndHosts() throws {
            let origin = try #require(URL(string: "https://www.k.test/x"))
            let store = CookieStore(sharedDomains: ["k.test"])
            store.set("\u{E9}=1", for: origin)
            store.set("e\u{301}=2", for: origin)
            #expect(store.header(for: origin) == "\u{E9}=1; e\u{301}=2")
            store.removeAll()
            store.set("a=1; Domain=\u{212A}.test", for: origin)
            #expect(store.count == 0)
            store.set("a=1\u{37E} Max-Age=0", for: origin)
            #expect(store.header(for: origin)?.hasBytes(of: "a=1\u{37E} Max-Age=0") == true)
            store.set("b=1; Path=/x\u{301}", for: origin)
            #expect(store.header(for: origin)?.contains("b=1") == false)
        }

        @Test(
            arguments: [
                ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
                ("Sun Nov  6 08:49:37 1994", 784_111_777), ("8:49:37 nov 6 1994", 784_111_777),
                ("Sun, 06 Nov 69 08:49:37 GMT", 3_150_953_377), ("06 November 1994 08:49:37.5", 784_111_777),
                ("Sun, 31 Feb 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1500 08:49:37 GMT", nil), ("06 Nov 1994", nil),
                ("Sun, 06 Nov 1994 24:00:00 GMT", nil), ("Sun, 06 Nov 1994 08:49:60 GMT", nil), ("", nil),
            ] as [(String, Double?)])
        func datesOfCookiesAreParsedAccordingToRFC6265(_ text: String, _ seconds: Double?) {
            #expect(Date(cookieDate: text)?.timeIntervalSince1970 == seconds)
        }

        @Test func parsersOfAddressesAndNetworksAcceptAnyText() async throws {
            try await Self.thread.run {
                var mutator = TextMutator(
                    ["192.0.2.1", "2001:db8::1", "::ffff:10.0.0.1", "10.0.0.0/8", "2001:db8::/32"], seed: 62)
                let loopback = try #require(IPAddress("127.0.0.1"))
                for _ in 0..<1000 {
                    let text = mutator.next()
                    if let address = IPAddress(text) {
                        #expect(IPAddress(address.description) == address)
                        #expect(text.utf8.allSatisfy { $0 < 0x80 })
                        if let network = IPNetwork(text) { #expect(network.contains(address)) }
                    }
                    _ = IPNetwork(text)?.contains(loopback)
                }
                for unit in ["1.", ":", "/", "0"] { #expect(IPNetwork(TextMutator.longText(repeating: unit)) == nil) }
            }
        }

        @Test(arguments: [
            "10.0.0.0/\u{301}8", "10.0.0.0/+8", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/\u{FF18}", "10.0.0.0/8/8",
        ])
        func invalidPrefixIsNoNetwork(_ text: String) {
            #expect(IPNetwork(text) == nil)
        }

        @Test func redirectsLeadToHTTPURLsOrFail() async throws {
            try await Self.thread.run {
                let url = try #require(URL(string: "https://a.test/x/y?z"))
                var mutator = TextMutator(
                    ["https://b.test:8443/a%20b?c#d", "/x", "../y", "?q", "//u:p@[::1]:80/", "http://1.2.3.4/\u{E9}"],
                    seed: 63)
                for _ in 0..<1000 {
                    let head = HTTPResponseHead(
                        version: .http1_1, status: .found, headers: ["Location": mutator.next()])
                    do throws(ImageError) {
                        guard let target = try head.redirectTarget(from: url) else { continue }
                        #expect(target.isHTTP)
                        if let origin = Origin(target) {
                            #expect(!origin.host.utf8.contains { "[]".utf8.contains($0) } && !origin.host.isEmpty)
                        }
                        let url = try target.withoutUser.url
                        #expect(url.user == nil)
                    } catch {
                        #expect(error.kind == .invalidURL)
                    }
                }
            }
        }

        @Test func longLocationsTakeLinearTime() async throws {
            try await Self.thread.run {
                let url = try #require(URL(string: "https://a.test/x/y?z"))
                for unit in ["../", "a", "%41"] {
                    let text = TextMutator.longText(repeating: unit, byteCount: 1 << 16)
                    let head = HTTPResponseHead(version: .http1_1, status: .found, headers: ["Location": text])
                    #expect(try head.redirectTarget(from: url)?.isHTTP ?? true)
                }
            }
        }

        @Test func resumptionAcceptsAnyFields() async throws {
            try await Self.thread.run {
                var mutator = TextMutator(
                    [
                        "bytes 3-9/10", "\"a\"", "W/\"a\"", "10", "Sun, 06 Nov 1994 08:49:37 GMT",
                        "Sun, 06 Nov 1994 08:51:37 GMT",
                    ],
                    seed: 64)
                let names = ["content-range", "etag", "last-modified", "date", "content-length", "accept-ranges"]
                for _ in 0..<1000 {
                    let first = HTTPHeaders(names.dropFirst().map { ($0, mutator.next()) })
                    guard var rest = Resumption(HTTPResponseHead(version: .http1_1, status: .ok, headers: first)) else {
                        continue
                    }
                    _ = try? rest.take(Data([1, 2, 3]))
                    let second = HTTPHeaders(names.map { ($0, mutator.next()) })
                    try? rest.continue(
                        with: HTTPResponseHead(version: .http1_1, status: .partialContent, headers: second))
                    _ = try? rest.take(Data([4]))
                }
            }
        }

        @Test(arguments: ["\"\u{301}", "\"", "\u{301}\"", "W/\"a\""])
        func weakTagsAreNoStrongValidators(_ tag: String) {
            let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["etag": tag])
            #expect(Resumption(head) == nil)
        }

        @Test(arguments: ["a:\u{301}b", "a:b", ":"])
        func colonInAUserNameIsDetected(_ user: String) {
            #expect(HTTPCredential.basic(user: user, password: "p").authorization == nil)
        }
    }
#endif
