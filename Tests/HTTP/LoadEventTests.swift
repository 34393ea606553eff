#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    @Suite(.bounded)
    struct LoadEventTests {
        private let routes: [String: LoopbackServer.Handler] = [
            "/moved": { _, reply in try await reply.redirect(301, to: "/") },
            "/": { request, reply in
                let fields = ["Content-Type": "image/x-plain", "ETag": "\"1\"", "Cache-Control": "no-cache"]
                if request.headers["if-none-match"] == nil {
                    return try await reply.send(200, fields, Gallery.picture(10))
                }
                try await reply.head(304, fields)
                try await reply.end()
            },
        ]

        private func name(_ event: LoadEvent) -> String { String("\(event)".prefix { $0 != "(" }) }

        @Test func loadReportsQueueingAndTheResponse() async throws {
            try await LoopbackServer.serving(routes) { server in
                let loader = HTTPLoader()
                let gallery = try Gallery(loader)
                loader.isSuspended = true
                var names: [String] = []
                for try await event in gallery.manager.events(for: server.url("/moved")) {
                    if case .progress = event { continue }
                    names.append(name(event))
                    if case .queued = event {
                        await waitUntil { loader.waitingTransferCount == 1 }
                        loader.isSuspended = false
                    }
                    guard case .response(let response) = event else { continue }
                    #expect(response.url == server.url("/") && response.status == 200)
                    #expect(response.contentType == "image/x-plain")
                    #expect(response.expectedByteCount == Gallery.picture(10).count)
                }
                #expect(names == ["queued", "started", "response", "finished"])
            }
        }

        @Test func notModifiedIsNotReportedAsAResponse() async throws {
            try await LoopbackServer.serving(routes) { server in
                let gallery = try Gallery()
                _ = try await gallery.grey(server.url("/"))
                var names: [String] = []
                for try await event in gallery.manager.events(for: server.url("/")) { names.append(name(event)) }
                #expect(names == ["queued", "started", "finished"])
            }
        }
    }
#endif
