#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    /// Responses that curl and browsers accept although they are not what the standard asks for.
    @Suite(.bounded)
    struct ToleratedResponseTests {
        private static let deflate: [UInt8] = [0x4B, 0x4C, 0x4A, 0x06, 0x00]
        private static let zlib = [0x78, 0x9C] + deflate + [0x02, 0x4D, 0x01, 0x27]
        private static let gzip =
            [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + deflate + [0xC2, 0x41, 0x24, 0x35, 3, 0, 0, 0]

        private func data(_ response: String, rest: [UInt8] = Array("abc".utf8)) async throws -> Data {
            try await ScriptedPeer.serving(response, rest: rest) { port in
                try await HTTPLoader { $0.resumeLimit = 0 }.data(URL(string: "http://127.0.0.1:\(port)/")!)
            }
        }

        private static let heads = [
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length:3\r\nA: b\r\ncontent-length:  3 \r\nContent-Length: 3\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length : 3\r\n\r\n", "HTTP/1.1 200 OK\nContent-Length: 3\n\n",
            "HTTP/1.1 200 OK\r\nX: a\r\n b\r\n\t c\r\nContent-Length: 3\r\n\r\n",
            "HTTP/1.1 103 \nX : y\n\nHTTP/1.1 200 OK\nContent-Length \t: 3\nX: y\n folded\n\r\n",
        ]

        @Test(arguments: heads) func headLoads(_ head: String) async throws {
            let data = try await data(head)
            #expect(data == Data("abc".utf8))
        }

        @Test(arguments: heads) func headInPortionsLoads(_ head: String) async throws {
            let portions = (Array(head.utf8) + Array("abc".utf8)).map { [$0] }
            try await ScriptedPeer.serving({ _ in { $0.isEmpty ? .init() : .init(portions) } }) { port in
                let loader = HTTPLoader()
                for _ in 0..<2 {
                    let data = try await loader.data(URL(string: "http://127.0.0.1:\(port)/")!)
                    #expect(data == Data("abc".utf8))
                }
            }
        }

        /// These the parser refuses, with an error that says what.
        @Test(arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n", "more than one Content-Length"),
            ("HTTP/1.1 200 OK\r\nA B: 3\r\n\r\n", "invalid character"),
            ("HTTP/1.1 200 OK\r\n b\r\n\r\n", "or is folded"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 3x\r\n\r\n", "Content-Length is invalid"),
            ("HTTP/1.1 2000 OK\r\n\r\n", "three digits"), ("SSH-2.0-OpenSSH\r\n", "does not begin with HTTP/1.1"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", "size of a chunk"),
        ])
        func headIsRefusedWithAReason(_ head: String, _ reason: String) async throws {
            try await expectError(.network, mentioning: reason) { _ = try await data(head) }
        }

        @Test(
            arguments: [
                ("gzip", gzip), ("x-gzip", gzip), ("X-GZip", gzip), ("deflate", zlib), ("deflate", deflate),
            ], [true, false])
        func encodingIsDecoded(_ encoded: (name: String, bytes: [UInt8]), _ hasLength: Bool) async throws {
            let length = hasLength ? "Content-Length: \(encoded.bytes.count)\r\n" : ""
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(encoded.name)\r\n\(length)\r\n"
            let data = try await data(head, rest: encoded.bytes)
            #expect(data == Data("abc".utf8))
        }

        @Test func rawDeflateInPortionsIsDecoded() async throws {
            let head = Array("HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
            let chunks = Self.deflate.flatMap { Array("1\r\n".utf8) + [$0] + Array("\r\n".utf8) }
            let data = try await data(String(decoding: head, as: UTF8.self), rest: chunks + Array("0\r\n\r\n".utf8))
            #expect(data == Data("abc".utf8))
        }

        @Test(
            arguments: [
                Array(deflate.dropLast(2)), [0x4B], deflate + [0, 0, 0, 0, 0], Array(zlib.dropLast()), [0xFF, 0xFF],
            ] as [[UInt8]])
        func damagedDeflateIsANetworkError(_ bytes: [UInt8]) async throws {
            try await expectError(.network) {
                _ = try await data("HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n", rest: bytes)
            }
        }

        @Test(arguments: ["gzip", "deflate"]) func encodedEmptyBodyIsEmpty(_ encoding: String) async throws {
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(encoding)\r\nContent-Length: 0\r\n\r\n"
            let data = try await data(head, rest: [])
            #expect(data.isEmpty)
        }

        @Test func notModifiedMayNameAnEncoding() async throws {
            let head = "HTTP/1.1 304 Not Modified\r\nContent-Encoding: gzip\r\n\r\n"
            try await ScriptedPeer.serving(head) { port in
                let url = URL(string: "http://127.0.0.1:\(port)/")!
                let stored = ResponseMetadata(url: url, status: 200, headers: ["etag": "\"1\""])
                let response = try await HTTPLoader().load(LoadRequest(url: url, stored: stored))
                guard case .notModified = response.body else { throw ImageError(.internal, .load, "it has a body") }
            }
        }

        @Test(arguments: ["bytes 0-2/3", "BYTES 0-2/3"]) func partThatIsTheWholeLoads(_ range: String) async throws {
            let head = "HTTP/1.1 206 Partial Content\r\nContent-Range: \(range)\r\nContent-Length: 3\r\n\r\n"
            let data = try await data(head)
            #expect(data == Data("abc".utf8))
        }

        @Test(arguments: [
            "bytes 0-2/4", "bytes 1-3/4", "bytes 0-2/*", "bytes */3", "x 0-2/3", "", "bytes 0-/3", "bytes",
        ])
        func partIsAStatusError(_ range: String) async throws {
            let field = range.isEmpty ? "" : "Content-Range: \(range)\r\n"
            try await expectError(.status, mentioning: "206") {
                _ = try await data("HTTP/1.1 206 Partial Content\r\n\(field)Content-Length: 3\r\n\r\n")
            }
        }

        /// Serves a picture with status 206 and this `Content-Range`, even if no part was requested.
        private func serving(_ range: String, _ body: @Sendable (LoopbackServer) async throws -> Void) async throws {
            let routes: [String: LoopbackServer.Handler] = [
                "/": { _, reply in
                    let fields = ["Content-Range": range, "Cache-Control": "max-age=60", "ETag": "\"1\""]
                    try await reply.send(206, fields, Gallery.picture(7))
                }
            ]
            try await LoopbackServer.serving(routes, body)
        }

        private static let count = Gallery.picture(7).count
        private static let fields: [[String: String]] = [[:], ["Range": "bytes=0-"]]

        @Test(.bug(id: "Fix whole images with status 206"), arguments: fields)
        func pictureInAPartThatIsTheWholeIsShownButNotStored(headers: [String: String]) async throws {
            try await serving("bytes 0-\(Self.count - 1)/\(Self.count)") { server in
                let gallery = try Gallery()
                for count in 1...2 {
                    let grey = try await gallery.grey(server.url("/")) { $0.httpHeaders = headers }
                    #expect(grey == 7 && server.requests.count == count)
                }
                #expect(gallery.images.keys.isEmpty && gallery.data.keys.isEmpty)
            }
        }

        @Test(arguments: fields)
        func pictureInAnotherPartIsAStatusError(headers: [String: String]) async throws {
            try await serving("bytes 0-\(Self.count - 1)/\(Self.count + 1)") { server in
                let gallery = try Gallery()
                try await expectError(.status, mentioning: "206") {
                    _ = try await gallery.grey(server.url("/")) { $0.httpHeaders = headers }
                }
            }
        }
    }
#endif
