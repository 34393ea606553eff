#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    @Suite(.bounded)
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
                    try await reply.waitForClose()
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

        @Test(arguments: [nil, Data([1, 2, 3])])
        func cancelAllEndsRunningAndWaitingTransfers(after bytes: Data?) async throws {
            try await serving(after: bytes) { url in
                let loader = HTTPLoader {
                    ($0.firstByteTimeout, $0.idleTimeout, $0.totalTimeout) = (nil, nil, nil)
                    $0.transferLimit = 1
                }
                let running = Task { try await loader.data(url) }
                try await isReached.waitUnlessCancelled()
                let waiting = Task { try await loader.data(url) }
                await waitUntil { loader.transferCount == 2 }
                loader.cancelAll()
                for task in [running, waiting] { try await expectError(.cancelled) { _ = try await task.value } }
                try await isClosed.waitUnlessCancelled()
                await waitUntil { loader.transferCount == 0 }
            }
        }

        @Test func cancelAllEndsABodyThatNobodyReadsYet() async throws {
            try await serving(after: Data([1])) { url in
                let loader = HTTPLoader()
                let response = try await loader.load(LoadRequest(url: url))
                try await isReached.waitUnlessCancelled()
                loader.cancelAll()
                try await isClosed.waitUnlessCancelled()
                try await expectError(.cancelled) { _ = try await response.data() }
                #expect(loader.transferCount == 0)
            }
        }

        @Test func cancelAllEndsAPauseBeforeTheRestOfABody() async throws {
            let paused = Gate()
            let routes: [String: LoopbackServer.Handler] = [
                "/": { _, reply in
                    try await reply.head(200, ["Content-Length": "10", "ETag": "\"1\""])
                    try await reply.body(Data([1]))
                    try await reply.close()
                }
            ]
            try await LoopbackServer.serving(routes) { server in
                let loader = HTTPLoader()
                var request = LoadRequest(url: server.url("/"))
                // It is reported before each pause.
                request.report = { milestone in
                    guard case .retries = milestone else { return }
                    loader.cancelAll()
                    paused.open()
                }
                let response = try await loader.load(request)
                try await expectError(.cancelled) { _ = try await response.data() }
                try await paused.waitUnlessCancelled()
                #expect(server.requests.count == 1 && loader.transferCount == 0)
            }
        }

        @Test func loadsAfterCancelAllAreNotAffected() async throws {
            let (gate, arrivals) = (Gate(), Recorder<Int>())
            let routes: [String: LoopbackServer.Handler] = [
                "/": { _, reply in
                    arrivals.note(1)
                    if arrivals.values.count == 1 { try await gate.waitUnlessCancelled() }
                    try await reply.send(200, [:], Gallery.picture(10))
                }
            ]
            try await LoopbackServer.serving(routes) { server in
                let loader = HTTPLoader()
                let manager = try ImageManager {
                    $0.install(loader.retrying())
                    $0.install(PlainCoder())
                }
                let context = ImageContext { $0.remembersFailure = { _, _ in true } }
                let first = Task { try await manager.load(server.url("/"), context: context) }
                await arrivals.waitForValues(1)
                loader.cancelAll()
                try await expectError(.cancelled) { _ = try await first.value }
                gate.open()
                // The failure is neither retried nor remembered.
                #expect(server.requests.count == 1)
                _ = try await manager.load(server.url("/"), context: context)
                #expect(server.requests.count == 2 && loader.transferCount == 0)
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
