#if S3
    import DarkroomS3
    import Testing

    @Suite struct S3CredentialsTests {
        private let credentials = S3Credentials(
            accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "hidden", sessionToken: "masked")

        @Test func permanentCredentialsHaveNoToken() {
            #expect(S3Credentials(accessKeyID: "key", secretAccessKey: "secret").sessionToken == nil)
        }

        @Test func descriptionsOfProvidersContainNoSecrets() throws {
            let variables = [
                "AWS_ACCESS_KEY_ID": "hidden", "AWS_SECRET_ACCESS_KEY": "hidden", "OTHER": "hidden",
                "AWS_CONTAINER_AUTHORIZATION_TOKEN": "hidden",
            ]
            let providers: [any S3CredentialsProvider] = [
                S3EnvironmentCredentials(environment: variables), S3ContainerCredentials(environment: variables),
                S3SharedFileCredentials(environment: variables), S3InstanceCredentials(environment: variables),
            ]
            var configuration = S3Configuration.amazon(
                region: "us-east-1", credentials: S3CredentialsChain(providers + [credentials]))
            configuration.retryLimit = 0
            var dumped = ""
            dump(configuration, to: &dumped)
            for text in ["\(configuration)", String(reflecting: configuration), dumped] {
                #expect(!text.contains("hidden") && !text.contains("masked"), "\(text)")
            }
        }

        @Test func descriptionsContainNoSecrets() {
            var dumped = ""
            dump(credentials, to: &dumped)
            dump([credentials], to: &dumped)
            for text in ["\(credentials)", String(reflecting: credentials), "\([credentials])", dumped] {
                #expect(!text.contains("hidden") && !text.contains("masked") && !text.contains("FODNN7"), "\(text)")
            }
        }
    }
#endif
