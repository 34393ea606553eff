#if S3
    import DarkroomCore
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    @testable import DarkroomS3

    @Suite struct CredentialsProviderTests {
        private static let file = """
            # keys
            [default]
            aws_access_key_id = A1
            aws_secret_access_key=S1
            [ other ]\r
            AWS_ACCESS_KEY_ID=A2\r
            aws_secret_access_key = S=2 \r
            ; aws_session_token = no
            aws_session_token = T2
            [incomplete]
            aws_access_key_id = A3
            """

        @Test func environmentIsRead() async throws {
            let variables = ["AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": "S", "AWS_SESSION_TOKEN": ""]
            let found = try await S3EnvironmentCredentials(environment: variables).credentials()
            #expect(found == S3Credentials(accessKeyID: "A", secretAccessKey: "S"))
            for name in ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"] {
                var incomplete = variables
                incomplete[name] = ""
                #expect(try await S3EnvironmentCredentials(environment: incomplete).credentials() == nil)
            }
        }

        @Test func sectionOfTheSharedFileIsRead() async throws {
            let directory = try TemporaryDirectory()
            let path = try directory.write(Data(Self.file.utf8), to: "credentials").path
            let variables = ["AWS_SHARED_CREDENTIALS_FILE": path, "AWS_PROFILE": "other"]
            #expect(
                try await S3SharedFileCredentials(environment: variables).credentials()
                    == S3Credentials(accessKeyID: "A2", secretAccessKey: "S=2", sessionToken: "T2"))
            #expect(
                try await S3SharedFileCredentials(path: path, environment: [:]).credentials()
                    == S3Credentials(accessKeyID: "A1", secretAccessKey: "S1"))
            for profile in ["incomplete", "none"] {
                let provider = S3SharedFileCredentials(path: path, profile: profile, environment: [:])
                #expect(try await provider.credentials() == nil)
            }
        }

        @Test func missingSharedFileIsNoError() async throws {
            let directory = try TemporaryDirectory()
            let path = directory.url.appending(path: "none").path
            #expect(try await S3SharedFileCredentials(path: path, environment: [:]).credentials() == nil)
            #expect(try await S3SharedFileCredentials(environment: [:]).credentials() == nil)
            let home = ["HOME": directory.url.path]
            #expect(try await S3SharedFileCredentials(environment: home).credentials() == nil)
        }

        @Test func unreadableSharedFileIsAnError() async throws {
            let directory = try TemporaryDirectory()
            try await expectError(.refused, mentioning: directory.url.path) {
                _ = try await S3SharedFileCredentials(path: directory.url.path, environment: [:]).credentials()
            }
        }

        @Test func chainReturnsTheFirst() async throws {
            let empty = S3CredentialsChain([])
            let first = S3Credentials(accessKeyID: "1", secretAccessKey: "S")
            #expect(try await empty.credentials() == nil)
            #expect(try await S3CredentialsChain([empty, first, S3Credentials.test]).credentials() == first)
            #expect(S3CredentialsChain.standard.providers.count == 4)
        }

        @Test(arguments: [
            "http://example.com/a", "http://10.0.0.1/a", "ftp://127.0.0.1/a", "none", "http://127.0.0.1.example.com/",
            "http://127.1/a", "http://0x7f000001/",
        ])
        func foreignContainerEndpointIsRefused(_ url: String) async throws {
            let provider = S3ContainerCredentials(environment: ["AWS_CONTAINER_CREDENTIALS_FULL_URI": url])
            try await expectError(.refused, mentioning: "FULL_URI") { _ = try await provider.credentials() }
        }

        @Test func containerWithoutAnEndpointHasNoCredentials() async throws {
            #expect(try await S3ContainerCredentials(environment: [:]).credentials() == nil)
        }

        @Test func relativePathMustBeAPath() async throws {
            let provider = S3ContainerCredentials(environment: ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "@host/a"])
            try await expectError(.refused, mentioning: "RELATIVE_URI") { _ = try await provider.credentials() }
        }
    }
#endif
