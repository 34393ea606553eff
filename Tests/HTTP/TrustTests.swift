#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    @Suite(.bounded)
    struct TrustTests {
        private let pem = Data(LoopbackIdentity.certificate.utf8)

        private func serving(_ body: @Sendable (LoopbackServer) async throws -> Void) async throws {
            try await LoopbackServer.serving(
                ["/": { _, reply in try await reply.send(200, [:], Data([1])) }], isSecure: true, body)
        }

        /// Returns a loader that resolves all names to this machine.
        private func loader(_ configure: (inout HTTPLoader.Configuration) -> Void) -> HTTPLoader {
            HTTPLoader {
                $0.addressPolicy = .networks("127.0.0.1")
                $0.lookup = { _ in [IPAddress("127.0.0.1")].compactMap(\.self) }
                configure(&$0)
            }
        }

        @Test func unknownAuthorityIsNotTrusted() async throws {
            try await serving { server in
                let loader = loader { _ in }
                let error = try await expectError(.network, mentioning: "secure") {
                    _ = try await loader.data(server.url("/", scheme: "https", host: "pictures.test"))
                }
                #expect(loader.remembers(error))
                #expect(error.message == "the secure connection to the origin failed: certificate verify failed")
                #expect(server.requests.isEmpty)
            }
        }

        @Test(arguments: [false, true])
        func configuredAuthorityIsTrustedForItsNames(_ includingSystem: Bool) async throws {
            try await serving { server in
                let loader = loader { $0.trustRoots = .pem(pem, includingSystem: includingSystem) }
                // The certificate is checked against the name in the URL, even if the connection is pinned to an
                // address.
                let url = server.url("/", scheme: "https", host: "pictures.test")
                #expect(try await loader.data(url) == Data([1]))
                for host in ["other.test", "127.0.0.1"] {
                    try await expectError(.network, mentioning: "secure") {
                        _ = try await loader.data(server.url("/", scheme: "https", host: host))
                    }
                }
            }
        }

        @Test func authorityCanBeReadFromAFile() async throws {
            let directory = try TemporaryDirectory()
            let file = try directory.write(pem, to: "trust.pem")
            let roots = try HTTPLoader.TrustRoots.pemFile(file)
            try FileManager.default.removeItem(at: file)
            try await serving { server in
                let url = server.url("/", scheme: "https", host: "pictures.test")
                let data = try await loader { $0.trustRoots = roots }.data(url)
                #expect(data == Data([1]))
            }
            try await expectError(.refused, mentioning: "trustRoots") { _ = try HTTPLoader.TrustRoots.pemFile(file) }
        }

        @Test func invalidCertificatesAreAcceptedOnlyIfAllowed() async throws {
            try await serving { server in
                let loader = loader { $0.allowsInvalidCertificates = true }
                let data = try await loader.data(server.url("/", scheme: "https", host: "other.test"))
                #expect(data == Data([1]))
            }
        }
    }
#endif
