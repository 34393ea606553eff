#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    /// The servers never do what is waited for, so short timeouts are as good as long ones.
    @Suite(.bounded)
    struct TimeoutTests {
        private let short = Duration.milliseconds(50)

        /// Returns a loader whose only timeout is the one that `configure` sets.
        private func loader(_ configure: (inout HTTPLoader.Configuration) -> Void) -> HTTPLoader {
            HTTPLoader {
                $0.firstByteTimeout = nil
                $0.idleTimeout = nil
                $0.totalTimeout = nil
                configure(&$0)
            }
        }

        private func expectTimeout(_ setting: String, _ loader: HTTPLoader, _ url: URL) async throws {
            let error = try await expectError(.timedOut, mentioning: setting) { _ = try await loader.data(url) }
            #expect(!loader.remembers(error))
            await waitUntil { loader.transferCount == 0 }
        }

        @Test func silentServerEndsInTheFirstByteTimeout() async throws {
            let routes: [String: LoopbackServer.Handler] = ["/": { _, reply in try await reply.waitForClose() }]
            try await LoopbackServer.serving(routes) { server in
                try await expectTimeout("firstByteTimeout", loader { $0.firstByteTimeout = short }, server.url("/"))
            }
        }

        @Test func silentServerEndsInTheTotalTimeout() async throws {
            let routes: [String: LoopbackServer.Handler] = ["/": { _, reply in try await reply.waitForClose() }]
            try await LoopbackServer.serving(routes) { server in
                try await expectTimeout("totalTimeout", loader { $0.totalTimeout = short }, server.url("/"))
            }
        }

        @Test(arguments: [[:], ["Content-Length": "1000"]])
        func stalledBodyEndsInTheIdleTimeout(_ headers: [String: String]) async throws {
            let isClosed = Gate()
            let routes: [String: LoopbackServer.Handler] = [
                "/": { _, reply in
                    try await reply.head(200, headers)
                    try await reply.body(Data([1, 2, 3]))
                    try await reply.waitForClose()
                    isClosed.open()
                }
            ]
            try await LoopbackServer.serving(routes) { server in
                try await expectTimeout("idleTimeout", loader { $0.idleTimeout = short }, server.url("/"))
                try await isClosed.waitUnlessCancelled()
            }
        }

        private static let dripping: LoopbackServer.Handler = { _, reply in
            try await reply.head(200)
            while true { try await reply.body(Data([0])) }
        }

        @Test func drippingBodyEndsInTheTotalTimeout() async throws {
            try await LoopbackServer.serving(["/": Self.dripping]) { server in
                // Whenever the timeout fires, the part received so far is not mistaken for the whole.
                for milliseconds in 10..<60 {
                    let loader = loader {
                        ($0.totalTimeout, $0.idleTimeout) = (.milliseconds(milliseconds), .seconds(60))
                    }
                    try await expectTimeout("totalTimeout", loader, server.url("/"))
                }
            }
        }

        @Test func slowRedirectsEndInTheTotalTimeout() async throws {
            let routes: [String: LoopbackServer.Handler] = ["/": { _, reply in try await reply.redirect(to: "/") }]
            try await LoopbackServer.serving(routes) { server in
                let loader = loader { ($0.totalTimeout, $0.redirectLimit) = (short, .max) }
                try await expectTimeout("totalTimeout", loader, server.url("/"))
            }
        }

        @Test func missingHandshakeEndsInTheConnectTimeout() async throws {
            try await LoopbackServer.silent(scheme: "https") { url in
                try await expectTimeout("connectTimeout", loader { $0.connectTimeout = short }, url)
            }
        }

        @Test func slowReaderDoesNotTimeOut() async throws {
            let picture = Data(count: 3_000_000)
            let routes: [String: LoopbackServer.Handler] = [
                "/picture": { _, reply in try await reply.send(200, [:], picture) },
                "/never": { _, reply in try await reply.waitForClose() },
            ]
            try await LoopbackServer.serving(routes) { server in
                let response = try await loader { $0.idleTimeout = .seconds(4) }.load(
                    LoadRequest(url: server.url("/picture")))
                guard case .chunks(let chunks) = response.body else { throw ImageError(.internal, .load, "no chunks") }
                var count = 0
                for try await chunk in chunks {
                    if count == 0 {
                        // Waits longer than the idle timeout, without measuring time.
                        let other = loader { $0.firstByteTimeout = .milliseconds(4100) }
                        try await expectTimeout("firstByteTimeout", other, server.url("/never"))
                    }
                    count += chunk.count
                }
                #expect(count == picture.count)
            }
        }

        @Test func hugeTimeoutsAreValid() async throws {
            try await LoopbackServer.serving(["/": { _, reply in try await reply.send() }]) { server in
                let duration = Duration.seconds(Int64.max)
                _ = try await HTTPLoader {
                    ($0.connectTimeout, $0.firstByteTimeout) = (duration, duration)
                    ($0.idleTimeout, $0.totalTimeout) = (duration, duration)
                }.data(server.url("/"))
            }
        }
    }
#endif
