#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    @Suite(.bounded)
    struct ConfigurationTests {
        typealias Change = @Sendable (inout HTTPLoader.Configuration) -> Void

        static let invalidSettings: [(String, Change)] = [
            ("transferLimit", { $0.transferLimit = 0 }), ("redirectLimit", { $0.redirectLimit = -1 }),
            ("resumeLimit", { $0.resumeLimit = -1 }), ("decompressionRatioLimit", { $0.decompressionRatioLimit = 0 }),
            ("connectTimeout", { $0.connectTimeout = .zero }), ("firstByteTimeout", { $0.firstByteTimeout = .zero }),
            ("idleTimeout", { $0.idleTimeout = .seconds(-1) }), ("totalTimeout", { $0.totalTimeout = .zero }),
            ("acceptableStatusCodes", { $0.acceptableStatusCodes = [] }),
            ("acceptableContentTypes", { $0.acceptableContentTypes = [] }), ("schemes", { $0.schemes = [] }),
            ("schemes", { $0.schemes = ["HTTP"] }), ("schemes", { $0.schemes = ["http", "ftp"] }),
            ("ports", { $0.ports = [] }), ("ports", { $0.ports = [0] }), ("ports", { $0.ports = [65536] }),
            ("headers", { $0.headers["a b"] = "c" }), ("headers", { $0.headers["a"] = "b\r\nc: d" }),
            ("credentials", { $0.credentials = ["example.com": .bearer("a")] }),
            ("credentials", { $0.credentials = ["https://example.com/path": .bearer("a")] }),
            ("credentials", { $0.credentials = ["https://a@example.com": .bearer("a")] }),
            ("credentials", { $0.credentials = ["https://example.com": .bearer("")] }),
            ("proxy", { $0.proxy = .http(host: "", port: 80) }), ("proxy", { $0.proxy = .socks(host: "a", port: 0) }),
            ("proxy", { $0.proxy = .http(host: "a", port: 1, credential: .bearer("a b")) }),
            ("trustRoots", { $0.trustRoots = .pem(Data()) }), ("trustRoots", { $0.trustRoots = .pem(Data("x".utf8)) }),
            (
                "allowsInvalidCertificates",
                {
                    $0.trustRoots = .pem(Data(LoopbackIdentity.certificate.utf8))
                    $0.allowsInvalidCertificates = true
                }
            ), ("addressPolicy", { $0.addressPolicy = .networks("10.0.0.0/40") }),
            ("addressPolicy", { $0.addressPolicy = .publicOnly.or(.networks("x")) }),
        ]

        @Test(arguments: invalidSettings.indices)
        func invalidConfigurationIsReported(_ index: Int) async throws {
            let (name, change) = Self.invalidSettings[index]
            let loader = HTTPLoader { change(&$0) }
            let expected = try await expectError(.refused, mentioning: "HTTPLoader.Configuration.") {
                try loader.configuration.validate()
            }
            #expect(expected.message.contains(name))
            try await LoopbackServer.serving(["/": { _, reply in try await reply.send() }]) { server in
                let error = try await expectError(.refused) {
                    _ = try await loader.data(server.url("/"))
                }
                #expect(error.message == expected.message)
                #expect(server.requests.isEmpty)
            }
        }

        @Test func validConfigurationIsAccepted() throws {
            try HTTPLoader.Configuration().validate()
            var configuration = HTTPLoader.Configuration()
            configuration.redirectLimit = 0
            configuration.resumeLimit = 0
            configuration.firstByteTimeout = nil
            configuration.acceptableStatusCodes = nil
            configuration.acceptableContentTypes = nil
            configuration.schemes = ["https"]
            configuration.ports = [443]
            configuration.credentials = ["https://example.com": .bearer("a"), "http://[::1]:80/": .bearer("b")]
            configuration.proxy = .socks(host: "a")
            configuration.trustRoots = .pem(Data(LoopbackIdentity.certificate.utf8), includingSystem: true)
            configuration.addressPolicy = .publicOnly.or(.networks("10.0.0.0/8")).or(.hosts("a"))
            try configuration.validate()
        }
    }
#endif
