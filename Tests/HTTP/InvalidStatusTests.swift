#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import FoundationEssentials
    import TestSupport
    import Testing

    /// Statuses that no server may send. async-http-client and swift-nio-http2 end the process at some of them.
    @Suite(.bounded)
    struct InvalidStatusTests {
        private static let png = "Content-Type: image/png\r\nContent-Length: 3\r\n\r\nabc"

        @Test(
            arguments: ["000", "001", "042", "099"],
            ["Content-Length: 0\r\n\r\n", png, "\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"])
        func statusBelowOneHundredIsANetworkError(_ status: String, _ rest: String) async throws {
            try await ScriptedPeer.serving("HTTP/1.1 \(status) \r\n\(rest)") { port in
                let loader = HTTPLoader { $0.resumeLimit = 0 }
                try await expectError(.network, mentioning: "invalid status") {
                    _ = try await loader.data(URL(string: "http://127.0.0.1:\(port)/")!)
                }
            }
        }

        @Test(arguments: ["600", "999"]) func statusBeyondTheClassesIsAStatus(_ status: String) async throws {
            try await ScriptedPeer.serving("HTTP/1.1 \(status) Odd\r\n\(Self.png)") { port in
                try await expectError(.status, mentioning: status) {
                    _ = try await HTTPLoader().data(URL(string: "http://127.0.0.1:\(port)/")!)
                }
            }
        }

        @Test(arguments: [
            "HTTP/1.1 1 A\r\n", "HTTP/1.1 20 A\r\n", "HTTP/1.1 2000 A\r\n", "HTTP/1.1 -20 A\r\n", "HTTP/1.1 ２００ A\r\n",
            "HTTP/1.1  200 A\r\n", "HTTP/1.1\r\n",
        ])
        func statusWithoutThreeDigitsIsANetworkError(_ line: String) async throws {
            try await ScriptedPeer.serving(line + Self.png) { port in
                try await expectError(.network) {
                    _ = try await HTTPLoader().data(URL(string: "http://127.0.0.1:\(port)/")!)
                }
            }
        }

        @Test(arguments: [
            "HTTP/1.1 100 \r\n\r\n", "HTTP/1.1 103 \r\nLink: x\r\nContent-Length: 5\r\n\r\n",
            "HTTP/1.1 199 \r\nTransfer-Encoding: chunked\r\n\r\n",
            "HTTP/1.1 103 \r\nConnection: upgrade\r\nUpgrade: h2c\r\nContent-Encoding: x\r\n\r\n",
            String(repeating: "HTTP/1.1 102 \r\n\r\n", count: 100),
        ])
        func informationalResponsesPrecedeTheFinalOne(_ first: String) async throws {
            try await ScriptedPeer.serving(first + "HTTP/1.1 200 OK\r\n" + Self.png) { port in
                let data = try await HTTPLoader().data(URL(string: "http://127.0.0.1:\(port)/")!)
                #expect(data == Data("abc".utf8))
            }
        }

        @Test(arguments: [
            "HTTP/1.1 100 \r\n\r\n", "HTTP/1.1 100 \r\nContent-Length: 3\r\n\r\nabc",
            String(repeating: "HTTP/1.1 102 \r\n\r\n", count: 101),
            "HTTP/1.1 100 \r\n\r\nHTTP/1.1 000 \r\n\r\n",
        ])
        func informationalResponseIsNoResponse(_ response: String) async throws {
            try await ScriptedPeer.serving(response) { port in
                try await expectError(.network) {
                    _ = try await HTTPLoader().data(URL(string: "http://127.0.0.1:\(port)/")!)
                }
            }
        }

        @Test(arguments: ["", "Connection: upgrade\r\nUpgrade: websocket\r\n", "Content-Length: 3\r\n"])
        func switchOfProtocolsIsAStatus(_ fields: String) async throws {
            try await ScriptedPeer.serving("HTTP/1.1 101 \r\n\(fields)\r\nabcHTTP/1.1 200 OK\r\n\r\n") { port in
                try await expectError(.status, mentioning: "101") {
                    _ = try await HTTPLoader().data(URL(string: "http://127.0.0.1:\(port)/")!)
                }
            }
        }

        // An unguarded client ends the process at an empty status, a negative one, one below 100 before a body, and at 101
        // and 1000 before another.
        @Test(
            arguments: ["", "-1", "+1", "1", "0", "000", "099", "99", "1000", "1234", "101", "20x", "２００"],
            [true, false])
        func invalidStatusOverHTTP2IsANetworkError(_ status: String, _ isFollowed: Bool) async throws {
            try await load(over: { _ in
                ScriptedPeer.frames { stream in
                    let next = isFollowed ? [Frame.headers([(":status", "200")], stream: stream)] : []
                    return [Frame.headers([(":status", status)], stream: stream)] + next
                        + [Frame.data([1], stream: stream)]
                }
            }) { loader, url in
                try await expectError(.network) { _ = try await loader.data(url) }
            }
        }

        @Test func informationalResponsesPrecedeTheFinalOneOverHTTP2() async throws {
            try await load(over: { _ in
                ScriptedPeer.frames { stream in
                    [
                        Frame.headers([(":status", "103")], stream: stream),
                        Frame.headers([(":status", "200")], stream: stream), Frame.data([1, 2], stream: stream),
                    ]
                }
            }) { loader, url in
                let data = try await loader.data(url)
                #expect(data == Data([1, 2]))
            }
        }

        private func load(
            over script: @escaping @Sendable (String) -> ScriptedPeer.Script,
            _ body: @Sendable (HTTPLoader, URL) async throws -> Void
        ) async throws {
            try await ScriptedPeer.serving(protocols: ["h2"], script) { port in
                let loader = HTTPLoader { ($0.allowsInvalidCertificates, $0.allowsHTTP2) = (true, true) }
                try await body(loader, URL(string: "https://127.0.0.1:\(port)/")!)
            }
        }
    }
#endif
