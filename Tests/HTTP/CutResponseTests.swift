#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    /// Connections that end after any byte of a response, or stop there.
    @Suite(.bounded)
    struct CutResponseTests {
        enum Framing: CaseIterable, Sendable {
            case length, chunks, gzip, untilClose

            /// Returns the bytes of the response with `picture`.
            func response(_ picture: [UInt8], _ fields: String = "") -> [UInt8] {
                let (head, body): (String, [UInt8]) =
                    switch self {
                    case .length: ("Content-Length: \(picture.count)\r\n", picture)
                    case .chunks: ("Transfer-Encoding: chunked\r\n", Self.chunks(picture))
                    case .gzip:
                        (
                            "Content-Encoding: gzip\r\nContent-Length: \(ContentCoding.gzip.encoded(picture).count)\r\n",
                            ContentCoding.gzip.encoded(picture)
                        )
                    case .untilClose: ("", picture)
                    }
                return Array("HTTP/1.1 200 OK\r\nContent-Type: image/x\r\n\(fields)\(head)\r\n".utf8) + body
            }

            private static func chunks(_ picture: [UInt8]) -> [UInt8] {
                let chunks = stride(from: 0, to: picture.count, by: 7).flatMap { start in
                    let chunk = picture[start..<min(start + 7, picture.count)]
                    return Array("\(chunk.count)\r\n".utf8) + chunk + Array("\r\n".utf8)
                }
                return chunks + Self.lastChunk
            }

            static let lastChunk = Array("0\r\nX-Sum: 1\r\n\r\n".utf8)
        }

        private static let picture = Array(Gallery.picture(77))

        /// Runs `body` with the port of a server that answers a request for `/n` with the first `n` bytes of `response`.
        private func serving(
            _ response: [UInt8], stays: Bool = false, resets: Bool = false, _ body: @Sendable (Int) async throws -> Void
        ) async throws {
            try await ScriptedPeer.serving({ _ in
                { received in
                    let path = String(decoding: received, as: UTF8.self).split(separator: " ").dropFirst().first
                    guard let count = Int(path?.dropFirst() ?? "") else { return ScriptedPeer.Answer() }
                    return ScriptedPeer.Answer([Array(response.prefix(count))], closes: !stays, resets: resets)
                }
            }) { try await body($0) }
        }

        /// A body without a length ends with its connection, so its end cannot be told from a failure: only the picture
        /// itself can be found incomplete.
        @Test(arguments: Framing.allCases, [false, true])
        func onlyWholeResponsesAreShownAndStored(_ framing: Framing, _ resets: Bool) async throws {
            let response = framing.response(Self.picture)
            try await serving(response, resets: resets) { port in
                let loader = HTTPLoader { ($0.firstByteTimeout, $0.idleTimeout) = (nil, nil) }
                let gallery = try Gallery(loader)
                for count in 0...response.count {
                    let result = await Result.of { try await gallery.grey(Self.url(port, count)) }
                    switch result {
                    case .success(let grey): #expect(grey == 77 && Self.isWhole(count, of: response, framing))
                    case .failure(let error):
                        let isPossible = error.kind == .network || framing == .untilClose
                        // A reset may discard what was sent before.
                        #expect(
                            isPossible && (resets || count < response.count), "\(count) of \(response.count): \(error)")
                        #expect(!loader.remembers(error) || framing == .untilClose)
                        #expect(await !gallery.manager.isCached(Self.url(port, count)))
                    }
                }
                #expect(loader.transferCount == 0)
                await loader.shutdown()
            }
        }

        @Test(arguments: Framing.allCases) func stalledResponsesTimeOut(_ framing: Framing) async throws {
            let response = framing.response(Self.picture)
            try await serving(response, stays: true) { port in
                let loader = HTTPLoader {
                    ($0.firstByteTimeout, $0.idleTimeout) = (.milliseconds(100), .milliseconds(100))
                    $0.transferLimit = 64
                }
                let gallery = try Gallery(loader)
                await withTaskGroup { group in
                    for count in stride(from: 0, to: response.count, by: 3) {
                        group.addTask {
                            let result = await Result.of { try await gallery.grey(Self.url(port, count)) }
                            switch result {
                            case .success: #expect(Self.isWhole(count, of: response, framing), "\(count)")
                            case .failure(let error): #expect(error.kind == .timedOut, "\(count): \(error)")
                            }
                        }
                    }
                }
                #expect(loader.transferCount == 0)
                await loader.shutdown()
            }
        }

        /// With a strong validator, the body is resumed wherever the connection broke.
        @Test(arguments: [Framing.length, .chunks], [false, true])
        func bodiesAreResumedAtAnyByte(_ framing: Framing, _ resets: Bool) async throws {
            let response = framing.response(Self.picture, "ETag: \"1\"\r\n")
            // At least a byte of the picture is missing: who has all of them cannot ask for more.
            let end = response.count - (framing == .chunks ? Framing.lastChunk.count + 2 : 0)
            let start =
                4 + (try #require((0..<end - 4).first { response[$0..<$0 + 4].elementsEqual([13, 10, 13, 10]) }))
            try await ScriptedPeer.serving({ _ in { Self.answer($0, response, resets: resets) } }) { port in
                let loader = HTTPLoader {
                    ($0.firstByteTimeout, $0.idleTimeout) = (nil, nil)
                    $0.transferLimit = 64
                }
                let gallery = try Gallery(loader)
                await withTaskGroup { group in
                    for count in stride(from: start, to: end, by: 5) {
                        group.addTask {
                            let result = await Result.of { try await gallery.grey(Self.url(port, count)) }
                            // A reset may discard the head, too.
                            if case .failure(let error) = result {
                                #expect(resets && error.kind == .network, "\(count): \(error)")
                            }
                            if case .success(let grey) = result { #expect(grey == 77) }
                        }
                    }
                }
                await loader.shutdown()
            }
        }

        /// Answers a request for a range with the rest of the picture, and says that the connection ends: a request over one
        /// that ends without a word fails.
        private static func answer(_ received: [UInt8], _ response: [UInt8], resets: Bool) -> ScriptedPeer.Answer {
            let text = String(decoding: received, as: UTF8.self)
            guard let count = Int(text.split(separator: " ").dropFirst().first?.dropFirst() ?? "") else {
                return ScriptedPeer.Answer()
            }
            guard let range = text.split(separator: "bytes=").dropFirst().first,
                let offset = Int(range.prefix { $0 != "-" })
            else { return ScriptedPeer.Answer([Array(response.prefix(count))], closes: true, resets: resets) }
            let rest = Array(picture[min(offset, picture.count)...])
            let head = """
                HTTP/1.1 206 Partial Content\r
                ETag: "1"\r
                Content-Range: bytes \(offset)-\(picture.count - 1)/\(picture.count)\r
                Content-Length: \(rest.count)\r
                Connection: close\r
                \r

                """
            return ScriptedPeer.Answer([Array(head.utf8) + rest], closes: true)
        }

        private static func isWhole(_ count: Int, of response: [UInt8], _ framing: Framing) -> Bool {
            // Nothing follows the last byte of the picture without a length.
            count == response.count
        }

        private static func url(_ port: Int, _ count: Int) -> URL { URL(string: "http://127.0.0.1:\(port)/\(count)")! }
    }

    extension Result where Failure == ImageError {
        /// Returns the outcome of `body`; other errors count as `internal`.
        static func of(_ body: () async throws -> Success) async -> Self {
            do {
                return .success(try await body())
            } catch {
                return .failure(error as? ImageError ?? ImageError(.internal, .load, "\(error)"))
            }
        }
    }
#endif
