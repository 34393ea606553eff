#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    @Suite(.timeLimit(.minutes(10)))
    struct CancellationTests {
        private let isReached = Gate()
        private let isClosed = Gate()

        /// Runs a server that stalls after `bytes`, or before the head if `bytes` is `nil`.
        private func serving(after bytes: Data?, _ body: @Sendable (URL) async throws -> Void) async throws {
            let routes: [String: LoopbackServer.Handler] = [
                "/": { [isReached, isClosed] _, reply in
                    if let bytes {
                        try await reply.head(200)
                        // Fails if the connection has been closed by then.
                        try? await reply.body(bytes)
                    }
                    isReached.open()
                    try await reply.untilClosed()
                    isClosed.open()
                }
            ]
            try await LoopbackServer.serving(routes) { server in try await body(server.url("/")) }
        }

        @Test(arguments: [nil, Data([1, 2, 3])])
        func cancellingTheTaskEndsTheTransfer(after bytes: Data?) async throws {
            try await serving(after: bytes) { url in
                let loader = HTTPLoader()
                let task = Task { try await loader.data(url) }
                try await isReached.waitUnlessCancelled()
                task.cancel()
                let error = try await expectError(.cancelled) { _ = try await task.value }
                #expect(!loader.remembers(error))
                try await isClosed.waitUnlessCancelled()
                await waitUntil { loader.transferCount == 0 }
            }
        }

        @Test func truncatedBodyIsNeverMistakenForTheWhole() async throws {
            let routes: [String: LoopbackServer.Handler] = [
                "/": { _, reply in
                    try await reply.head(200)
                    while true { try await reply.body(Data([0])) }
                }
            ]
            try await LoopbackServer.serving(routes) { server in
                for number in 1...100 {
                    let url = server.url("/?\(number)")
                    let task = Task { try await HTTPLoader().data(url) }
                    await waitUntil { server.byteCount(writtenTo: "/?\(number)") > number }
                    task.cancel()
                    try await expectError(.cancelled) { _ = try await task.value }
                }
            }
        }

        @Test func cancellingALoadOfTheManagerEndsTheTransfer() async throws {
            try await serving(after: Data([1])) { url in
                let manager = try ImageManager { $0.install(HTTPLoader()) }
                let task = Task { try await manager.load(url) }
                try await isReached.waitUnlessCancelled()
                task.cancel()
                try await expectError(.cancelled) { _ = try await task.value }
                try await isClosed.waitUnlessCancelled()
            }
        }

        @Test func releasingTheResponseEndsTheTransfer() async throws {
            try await serving(after: Data([1])) { url in
                let loader = HTTPLoader()
                _ = try await loader.load(LoadRequest(url: url))
                try await isClosed.waitUnlessCancelled()
                await waitUntil { loader.transferCount == 0 }
            }
        }

        @Test func releasingTheIteratorEndsTheTransfer() async throws {
            try await serving(after: Data([1])) { url in
                let loader = HTTPLoader()
                try await readOneChunk(of: loader, url)
                try await isClosed.waitUnlessCancelled()
                await waitUntil { loader.transferCount == 0 }
            }
        }

        private func readOneChunk(of loader: HTTPLoader, _ url: URL) async throws {
            let response = try await loader.load(LoadRequest(url: url))
            guard case .chunks(let chunks) = response.body else { throw ImageError(.internal, .load, "no chunks") }
            for try await _ in chunks { break }
        }

        @Test func cancelledTaskSendsNothing() async throws {
            try await LoopbackServer.serving([:]) { server in
                let task = Task {
                    unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                    return try await HTTPLoader().data(server.url("/"))
                }
                try await expectError(.cancelled) { _ = try await task.value }
                #expect(server.requests.isEmpty)
            }
        }
    }
#endif
