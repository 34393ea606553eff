#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import Synchronization
    import TestSupport
    import Testing

    @Suite(.bounded)
    final class ResumptionTests: Sendable {
        private static let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* $0 / 7) }
        // Computed each time: the leak sanitizer reports a `Data` in a static property.
        private static var picture: Data { Data(bytes) }
        private static let tag = ["ETag": "\"a\""]

        private let received = Recorder<Data>()
        private let isTaken = Gate()
        private let breakAt = Mutex(0)
        private let retries = Recorder<ImageError>()

        /// Runs a server whose first response breaks off after `offset` bytes; `next` handles the following requests.
        private func serving(
            _ headers: [String: String], breakingAt offset: Int, isChunked: Bool = false,
            _ next: @escaping LoopbackServer.Handler, _ body: @Sendable (LoopbackServer) async throws -> Void
        ) async throws {
            let isFirst = Once()
            breakAt.withLock { $0 = offset }
            if offset == 0 { isTaken.open() }
            let routes: [String: LoopbackServer.Handler] = [
                "/": { [isTaken] request, reply in
                    guard isFirst.take() else { return try await next(request, reply) }
                    let length = isChunked ? [:] : ["Content-Length": "\(Self.picture.count)"]
                    try await reply.head(200, headers.merging(length) { own, _ in own })
                    if offset > 0 { try await reply.body(Self.picture.prefix(offset)) }
                    try await isTaken.waitUnlessCancelled()
                    try await reply.close()
                }
            ]
            try await LoopbackServer.serving(routes, body)
        }

        /// Reads all of `response` into `received`.
        private func read(_ response: LoadResponse) async throws {
            guard case .chunks(let chunks) = response.body else { throw ImageError(.internal, .load, "no chunks") }
            for try await chunk in chunks {
                received.note(chunk)
                if bytes.count >= breakAt.withLock(\.self) { isTaken.open() }
            }
        }

        /// Loads the image; the received bytes are in `received`.
        private func load(_ server: LoopbackServer, limit: Int = 2) async throws {
            var request = LoadRequest(url: server.url("/"))
            request.report = { [retries] in if case .retries(_, let error) = $0 { retries.note(error) } }
            let response = try await HTTPLoader { $0.resumeLimit = limit }.load(request)
            try await read(response)
        }

        private var bytes: Data { received.values.reduce(Data(), +) }

        /// Responds as a server that supports ranges.
        private static func rest(_ changes: [String: String] = tag) -> LoopbackServer.Handler {
            { request, reply in
                let offset = try #require(Int(request.headers["range"]?.dropFirst(6).dropLast() ?? ""))
                let range = ["Content-Range": "bytes \(offset)-\(picture.count - 1)/\(picture.count)"]
                try await reply.send(206, range.merging(changes) { _, own in own }, picture.dropFirst(offset))
            }
        }

        @Test(arguments: [0, 1, 50_000, 99_999], [false, true])
        func brokenBodyIsResumedAtItsOffset(_ offset: Int, _ isChunked: Bool) async throws {
            try await serving(Self.tag, breakingAt: offset, isChunked: isChunked, Self.rest()) { server in
                try await load(server)
                #expect(bytes == Self.picture)
                #expect(server.requests.count == 2)
                let headers = try #require(server.requests.last?.headers)
                #expect(headers["range"] == "bytes=\(offset)-")
                #expect(headers["if-range"] == "\"a\"")
                #expect(headers["accept-encoding"] == "identity")
                #expect(retries.values.map(\.kind) == [.network])
            }
        }

        @Test func oldDateIsAStrongValidator() async throws {
            let headers = [
                "Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Last-Modified": "Sun, 06 Nov 1994 08:48:37 GMT",
                "Accept-Ranges": "bytes",
            ]
            try await serving(headers, breakingAt: 10, Self.rest([:])) { server in
                try await load(server)
                #expect(bytes == Self.picture)
                #expect(server.requests.last?.headers["if-range"] == headers["Last-Modified"])
            }
        }

        @Test(arguments: [
            [:], ["ETag": "W/\"a\""], ["ETag": "a"], ["ETag": "\""],
            [
                "ETag": "W/\"a\"", "Date": "Sun, 06 Nov 1994 08:49:37 GMT",
                "Last-Modified": "Sun, 06 Nov 1994 07:49:37 GMT",
            ],
            ["Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Last-Modified": "Sun, 06 Nov 1994 08:49:36 GMT"],
            ["Last-Modified": "Sun, 06 Nov 1994 07:49:37 GMT"],
            ["Date": "today", "Last-Modified": "Sun, 06 Nov 1994 07:49:37 GMT"],
            ["ETag": "\"a\"", "Accept-Ranges": "none"],
        ])
        func bodyWithoutAStrongValidatorIsNotResumed(_ headers: [String: String]) async throws {
            try await serving(headers, breakingAt: 10, Self.rest()) { server in
                try await expectError(.network) { try await load(server) }
                #expect(server.requests.count == 1)
                #expect(retries.values.isEmpty)
            }
        }

        @Test func encodedBodyIsNotResumed() async throws {
            let headers = ["ETag": "\"a\"", "Content-Encoding": "br"]
            try await serving(headers, breakingAt: 10, Self.rest()) { server in
                try await expectError(.network) { try await load(server) }
                #expect(server.requests.count == 1)
            }
        }

        @Test func nothingIsResumedWithALimitOfZero() async throws {
            try await serving(Self.tag, breakingAt: 10, Self.rest()) { server in
                try await expectError(.network) { try await load(server, limit: 0) }
                #expect(server.requests.count == 1)
            }
        }

        @Test(arguments: [
            ["Content-Range": "bytes 999-99999/100000"], ["Content-Range": "bytes 1001-99999/100000"],
            ["Content-Range": "bytes 1000-99998/100000"], ["Content-Range": "bytes 1000-99999/100001"],
            ["Content-Range": "bytes 1000-99999/*"], ["Content-Range": "bytes */100000"], ["Content-Range": ""],
            ["Content-Range": "1000-99999/100000"], ["Content-Range": "bytes 1000-99999"], ["Content-Range": "bytes /"],
            ["Content-Range": "bytes 1000-99999/100000, bytes 1000-99999/100000"], ["Content-Range": "bytes"],
            ["Content-Range": "bytes +1000-99999/100000"], ["ETag": "\"b\""], ["ETag": "W/\"a\""], ["ETag": ""],
            ["ETag": "\"a\"", "Content-Encoding": "br"],
        ])
        func mismatchingPartIsRejected(_ headers: [String: String]) async throws {
            try await serving(Self.tag, breakingAt: 1000, Self.rest(Self.tag.merging(headers) { $1 })) { server in
                try await expectError(.network) { try await load(server) }
                #expect(bytes == Self.picture.prefix(1000))
                #expect(server.requests.count == 2)
            }
        }

        @Test(arguments: [204, 301, 304, 403, 404, 412, 416])
        func unsuitableResponseEndsInTheFirstError(_ status: Int) async throws {
            try await serving(Self.tag, breakingAt: 1000) { _, reply in
                try await reply.send(status, Self.tag.merging(["Location": "/"]) { own, _ in own })
            } _: { server in
                let error = try await expectError(.network) { try await load(server) }
                #expect(error.message == retries.values.first?.message)
                #expect(bytes == Self.picture.prefix(1000))
                #expect(server.requests.count == 2)
            }
        }

        @Test func knownPartOfARepeatedBodyIsSkipped() async throws {
            try await serving(Self.tag, breakingAt: 1000) { _, reply in
                try await reply.send(200, Self.tag, Self.picture)
            } _: { server in
                try await load(server)
                #expect(bytes == Self.picture)
            }
        }

        @Test(arguments: [["ETag": "\"b\""], [:], ["ETag": "\"a\"", "Content-Length": "99999"]])
        func repeatedBodyWithAnotherValidatorIsRejected(_ headers: [String: String]) async throws {
            try await serving(Self.tag, breakingAt: 1000) { _, reply in
                let data = Self.picture.prefix(headers["Content-Length"].flatMap { Int($0) } ?? Self.picture.count)
                try await reply.send(200, headers, data)
            } _: { server in
                try await expectError(.network) { try await load(server) }
                #expect(bytes == Self.picture.prefix(1000))
            }
        }

        @Test(arguments: [500, 99_500])
        func bodyThatBreaksTwiceIsResumedTwice(_ byteCount: Int) async throws {
            let count = Recorder<Int>()
            try await serving(Self.tag, breakingAt: 1000) { request, reply in
                count.note(0)
                guard count.values.count == 1 else { return try await Self.rest()(request, reply) }
                // First within the part that is already known, then after it.
                try await reply.head(
                    200, Self.tag.merging(["Content-Length": "\(Self.picture.count)"]) { own, _ in own })
                try await reply.body(Self.picture.prefix(byteCount))
                try await reply.close()
            } _: { server in
                try await load(server)
                #expect(bytes == Self.picture)
                #expect(server.requests.count == 3)
            }
        }

        @Test(arguments: [-1, 1])
        func partOfUndeclaredLengthIsRejected(_ surplus: Int) async throws {
            try await serving(Self.tag, breakingAt: 1000) { _, reply in
                let end = "bytes 1000-\(Self.picture.count - 1)/\(Self.picture.count)"
                // Chunked, so that HTTP itself does not verify the length.
                try await reply.head(206, Self.tag.merging(["Content-Range": end]) { own, _ in own })
                let rest = Self.picture.dropFirst(1000)
                try await reply.body(surplus < 0 ? rest.dropLast() : rest + [0])
                try await reply.end()
            } _: { server in
                try await expectError(.network) { try await load(server) }
                #expect(Self.picture.starts(with: bytes))
            }
        }

        @Test func recoveredServerIsAskedAgain() async throws {
            let count = Recorder<Int>()
            try await serving(Self.tag, breakingAt: 1000) { request, reply in
                count.note(0)
                guard count.values.count == 1 else { return try await Self.rest()(request, reply) }
                try await reply.send(503)
            } _: { server in
                try await load(server)
                #expect(bytes == Self.picture)
            }
        }

        @Test func resumptionsEndAtTheLimit() async throws {
            try await serving(Self.tag, breakingAt: 1000) { _, reply in
                try await reply.close()
            } _: { server in
                try await expectError(.network) { try await load(server, limit: 3) }
                #expect(server.requests.count == 4)
                #expect(retries.values.count == 3)
                #expect(bytes == Self.picture.prefix(1000))
            }
        }

        @Test func cancellingEndsTheBackoff() async throws {
            try await serving(Self.tag, breakingAt: 1000, Self.rest()) { server in
                var request = LoadRequest(url: server.url("/"))
                request.report = {
                    if case .retries = $0 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
                }
                let reportingRequest = request
                let task = Task {
                    let response = try await HTTPLoader().load(reportingRequest)
                    try await read(response)
                }
                try await expectError(.cancelled) { try await task.value }
                #expect(server.requests.count == 1)
            }
        }

        @Test func resumptionIsNotConditional() async throws {
            try await serving(Self.tag, breakingAt: 1000, Self.rest()) { server in
                let stored = ResponseMetadata(url: server.url("/"), status: 200, headers: ["etag": "\"old\""])
                let response = try await HTTPLoader().load(LoadRequest(url: server.url("/"), stored: stored))
                try await read(response)
                #expect(bytes == Self.picture)
                #expect(server.requests.map { $0.headers["if-none-match"] } == ["\"old\"", nil])
            }
        }
    }
#endif
