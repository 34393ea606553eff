#if S3
    import DarkroomS3
    import Testing

    @Suite struct S3CredentialsTests {
        private let credentials = S3Credentials(
            accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "hidden", sessionToken: "masked")

        @Test func permanentCredentialsHaveNoToken() {
            #expect(S3Credentials(accessKeyID: "key", secretAccessKey: "secret").sessionToken == nil)
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
