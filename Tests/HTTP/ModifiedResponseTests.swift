#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    /// A modified response is judged like a received one.
    @Suite(.bounded)
    struct ModifiedResponseTests {
        private static let image = ["Content-Type": "image/x-plain", "ETag": "\"1\""]

        private static let routes: [String: LoopbackServer.Handler] = [
            "/image": { request, reply in
                let isKnown = request.headers["if-none-match"] == "\"1\""
                try await reply.send(isKnown ? 304 : 200, image, isKnown ? Data() : Gallery.picture(10))
            },
            "/404": { _, reply in try await reply.send(404, image, Gallery.picture(20)) },
            "/page": { _, reply in try await reply.send(200, ["Content-Type": "text/html"], Gallery.picture(30)) },
            "/401": { _, reply in try await reply.send(401) },
            "/moved": { _, reply in try await reply.redirect(to: "/404") },
        ]

        private func serving(_ body: @Sendable (LoopbackServer) async throws -> Void) async throws {
            try await LoopbackServer.serving(Self.routes, body)
        }

        private func setting(status: Int) -> ResponseModifier {
            { response, _ in response.metadata?.status = status }
        }

        @Test(arguments: [404, 503, 302, 304]) func statusThatIsNotAcceptedFailsTheLoad(status: Int) async throws {
            try await serving { server in
                let loader = HTTPLoader()
                let error = try await expectError(.status, mentioning: "the origin returned status \(status)") {
                    _ = try await loader.modifyingResponses(setting(status: status))
                        .load(LoadRequest(url: server.url("/image")))
                }
                #expect(error.response?.status == status && error.stage == .load)
                #expect(error.response?.headers["etag"] == "\"1\"")
                // The body, which has not been read, holds no slot.
                #expect(loader.transferCount == 0)
            }
        }

        @Test(arguments: ["/404", "/moved"])
        func acceptedStatusInPlaceOfARejectedOneSucceeds(path: String) async throws {
            try await serving { server in
                let gallery = try Gallery()
                try await expectError(.status) { _ = try await gallery.grey(server.url(path)) }
                let grey = try await gallery.grey(server.url(path)) { $0.responseModifier = setting(status: 200) }
                #expect(grey == 20)
                let data = try await HTTPLoader().modifyingResponses(headers: ["A": "b"])
                    .load(LoadRequest(url: server.url(path))).data()
                #expect(data == Gallery.picture(20))
            }
        }

        @Test func modifiedContentTypeIsJudged() async throws {
            try await serving { server in
                let (image, page) = (server.url("/image"), server.url("/page"))
                let toPage = HTTPLoader().modifyingResponses(headers: ["Content-Type": "text/html; charset=utf-8"])
                let error = try await expectError(.contentType, mentioning: "the origin sent text/html") {
                    _ = try await toPage.load(LoadRequest(url: image))
                }
                #expect(error.response?.headers["content-type"] == "text/html; charset=utf-8")
                try await expectError(.contentType) { _ = try await HTTPLoader().load(LoadRequest(url: page)) }
                let toImage = HTTPLoader().modifyingResponses(headers: ["Content-Type": "image/x-plain"])
                #expect(try await toImage.load(LoadRequest(url: page)).data() == Gallery.picture(30))
            }
        }

        @Test func rulesAreThoseOfTheConfiguration() async throws {
            try await serving { server in
                let strict = HTTPLoader { $0.acceptableStatusCodes = [200] }
                try await expectError(.status) {
                    _ = try await strict.modifyingResponses(status: 201).load(LoadRequest(url: server.url("/image")))
                }
                let lenient = HTTPLoader { ($0.acceptableStatusCodes, $0.acceptableContentTypes) = (nil, nil) }
                let fields = ["Content-Type": "text/html"]
                let loader = lenient.modifyingResponses(status: 404, headers: fields)
                #expect(try await loader.load(LoadRequest(url: server.url("/image"))).metadata?.status == 404)
            }
        }

        @Test func declaredLengthOfAModifiedResponseIsLimited() async throws {
            try await serving { server in
                let context = ImageContext { $0.limits.encodedByteCount = 1000 }
                let request = LoadRequest(url: server.url("/404"), context: context)
                try await expectError(.overLimit) {
                    _ = try await HTTPLoader().modifyingResponses(headers: ["Content-Length": "1001"]).load(request)
                }
            }
        }

        @Test func modifiedFailureIsRetried() async throws {
            try await serving { server in
                let attempts = Recorder<Int>()
                let loader = HTTPLoader().modifyingResponses { response, _ in
                    attempts.note(1)
                    if attempts.values.count < 3 { response.metadata?.status = 503 }
                }
                let clock = ManualClock(skipsSleeps: true)
                let response = try await loader.retrying(on: clock).load(LoadRequest(url: server.url("/image")))
                #expect(response.metadata?.status == 200 && server.requests.count == 3)
            }
        }

        @Test func modifiedConfirmationStaysOneUnlessItsStatusIsRejected() async throws {
            try await serving { server in
                var request = LoadRequest(url: server.url("/image"))
                request.stored = ResponseMetadata(url: request.url, status: 200, headers: ["etag": "\"1\""])
                let page = ["Content-Type": "text/html"]
                let response = try await HTTPLoader().modifyingResponses(headers: page).load(request)
                #expect(response.isConfirmation)
                try await expectError(.status) { [request] in
                    _ = try await HTTPLoader().modifyingResponses(status: 404).load(request)
                }
                request.stored?.headers = ["etag": "\"other\""]
                let confirmed = try await HTTPLoader().modifyingResponses(status: 304).load(request)
                #expect(confirmed.isConfirmation)
            }
        }

        @Test func rejectedCredentialIsNamedOnlyIfItWasSent() async throws {
            try await serving { server in
                let context = ImageContext { $0.httpCredential = .bearer("a") }
                let loader = HTTPLoader().modifyingResponses(setting(status: 401))
                try await expectError(.status, mentioning: "rejected the credential") {
                    _ = try await loader.load(LoadRequest(url: server.url("/image"), context: context))
                }
                try await expectError(.status, mentioning: "returned status 401") {
                    _ = try await HTTPLoader().load(LoadRequest(url: server.url("/401")))
                }
            }
        }
    }

    extension LoadResponse {
        fileprivate var isConfirmation: Bool { if case .notModified = body { true } else { false } }
    }
#endif
