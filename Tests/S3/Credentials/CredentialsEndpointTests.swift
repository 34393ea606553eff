#if S3 && HTTP
    import DarkroomCore
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    @testable import DarkroomS3

    @Suite(.bounded)
    struct CredentialsEndpointTests {
        private static let document = """
            {"Code": "Success", "AccessKeyId": "A", "SecretAccessKey": "S", "Token": "T",
            "Expiration": "2030-01-02T03:04:05Z"}
            """
        private static let expected = S3Credentials(
            accessKeyID: "A", secretAccessKey: "S", sessionToken: "T",
            expiration: Date(timeIntervalSince1970: 1_893_553_445))
        private static let rolesPath = "/latest/meta-data/iam/security-credentials/"

        private func container(_ server: LoopbackServer, _ variables: [String: String] = [:]) -> S3ContainerCredentials
        {
            let uri = ["AWS_CONTAINER_CREDENTIALS_FULL_URI": server.url("/c").absoluteString]
            return S3ContainerCredentials(environment: uri.merging(variables) { $1 }, timeout: .seconds(60))
        }

        private func instance(_ server: LoopbackServer) -> S3InstanceCredentials {
            S3InstanceCredentials(endpoint: server.root, environment: [:], timeout: .seconds(60))
        }

        private static func routes(_ document: String = document, role: String = "r") -> [String: LoopbackServer
            .Handler]
        {
            [
                "/c": { _, reply in try await reply.send(200, [:], Data(document.utf8)) },
                "/latest/api/token": { request, reply in
                    try await reply.send(request.method == "PUT" ? 200 : 405, [:], Data("token".utf8))
                },
                rolesPath: { request, reply in
                    let isAllowed = request.headers["x-aws-ec2-metadata-token"] == "token"
                    try await reply.send(isAllowed ? 200 : 401, [:], Data(role.utf8))
                },
                rolesPath + "r": { request, reply in
                    let isAllowed = request.headers["x-aws-ec2-metadata-token"] == "token"
                    try await reply.send(isAllowed ? 200 : 401, [:], Data(document.utf8))
                },
            ]
        }

        @Test func containerReturnsCredentials() async throws {
            let directory = try TemporaryDirectory()
            let file = try directory.write(Data("from file\n".utf8), to: "token").path
            try await LoopbackServer.serving(Self.routes()) { server in
                let found = try await container(server).credentials()
                #expect(found == Self.expected)
                var variables = ["AWS_CONTAINER_AUTHORIZATION_TOKEN": "given"]
                let second = try await container(server, variables).credentials()
                #expect(second == Self.expected)
                variables["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] = file
                let third = try await container(server, variables).credentials()
                #expect(third == Self.expected)
                #expect(server.requests.map { $0.headers["authorization"] } == [nil, "given", "from file"])
            }
        }

        @Test func instanceReturnsTheCredentialsOfItsRole() async throws {
            try await LoopbackServer.serving(Self.routes(role: "r\nother\n")) { server in
                let found = try await instance(server).credentials()
                #expect(found == Self.expected)
                #expect(server.requests.map(\.method) == ["PUT", "GET", "GET"])
                #expect(server.requests.first?.headers["x-aws-ec2-metadata-token-ttl-seconds"] != nil)
            }
        }

        @Test func disabledInstanceEndpointIsNotContacted() async throws {
            try await LoopbackServer.serving(Self.routes()) { server in
                let variables = [
                    "AWS_EC2_METADATA_DISABLED": "True",
                    "AWS_EC2_METADATA_SERVICE_ENDPOINT": server.root.absoluteString,
                ]
                let found = try await S3InstanceCredentials(environment: variables).credentials()
                #expect(found == nil)
                #expect(server.requests.isEmpty)
                let enabled = variables.filter { $0.key.hasSuffix("ENDPOINT") }
                let second = try await S3InstanceCredentials(environment: enabled, timeout: .seconds(60)).credentials()
                #expect(second == Self.expected)
            }
        }

        @Test func unreachableInstanceEndpointHasNoCredentials() async throws {
            let url = try await LoopbackServer.silent(scheme: "http") { $0 }
            let root = try #require(URL(string: "http://127.0.0.1:\(url.port ?? 1)"))
            let found = try await S3InstanceCredentials(endpoint: root, environment: [:]).credentials()
            #expect(found == nil)
            try await LoopbackServer.silent(scheme: "http") { url in
                let provider = S3InstanceCredentials(endpoint: url, environment: [:], timeout: .milliseconds(50))
                let second = try await provider.credentials()
                #expect(second == nil)
            }
            try await LoopbackServer.serving([:]) { server in
                let third = try await instance(server).credentials()
                #expect(third == nil)
            }
        }

        @Test(arguments: ["../r", "a b", "", "\u{e9}"]) func invalidRoleIsAnError(_ role: String) async throws {
            try await LoopbackServer.serving(Self.routes(role: role)) { server in
                try await expectError(.status) { _ = try await instance(server).credentials() }
            }
        }

        @Test(arguments: [
            "", "{", "[]", "{}", "{\"Code\": \"Failed\", \"AccessKeyId\": \"hidden\", \"SecretAccessKey\": \"hidden\"}",
            "{\"AccessKeyId\": 1, \"SecretAccessKey\": \"hidden\"}",
            "{\"AccessKeyId\": \"A\", \"SecretAccessKey\": \"hidden\", \"Expiration\": \"soon\"}",
            String(repeating: "[", count: 60_000),
        ])
        func invalidDocumentIsAnError(_ document: String) async throws {
            try await LoopbackServer.serving(Self.routes(document)) { server in
                try await expectError(.network, mentioning: "container") {
                    _ = try await container(server).credentials()
                }
                try await expectError(.network, mentioning: "instance") { _ = try await instance(server).credentials() }
            }
        }

        @Test func endlessDocumentIsAnError() async throws {
            let handler: LoopbackServer.Handler = { _, reply in
                try await reply.head(200)
                while true { try await reply.body(Data(count: 64 << 10)) }
            }
            try await LoopbackServer.serving(["/c": handler]) { server in
                try await expectError(.network, mentioning: "more than 65536 bytes") {
                    _ = try await container(server).credentials()
                }
            }
        }

        @Test func failingContainerEndpointIsAnError() async throws {
            try await LoopbackServer.serving([:]) { server in
                try await expectError(.status, mentioning: "404") { _ = try await container(server).credentials() }
            }
            try await LoopbackServer.silent(scheme: "http") { url in
                let provider = S3ContainerCredentials(
                    environment: ["AWS_CONTAINER_CREDENTIALS_FULL_URI": url.absoluteString],
                    timeout: .milliseconds(50))
                try await expectError(.timedOut, mentioning: "container") { _ = try await provider.credentials() }
            }
        }
    }
#endif
