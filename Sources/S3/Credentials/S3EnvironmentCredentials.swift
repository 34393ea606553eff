#if S3
    import DarkroomPlatform

    /// The credentials in the environment variables `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and
    /// `AWS_SESSION_TOKEN`.
    public struct S3EnvironmentCredentials: S3CredentialsProvider {
        // Not the whole environment, which may contain other secrets.
        private let found: S3Credentials?

        /// Creates a provider that reads `environment`, by default that of the process. It is read immediately.
        public init(environment: [String: String]? = nil) {
            let environment = environment ?? ProcessInfo.processInfo.environment
            guard let identifier = environment.value(of: "AWS_ACCESS_KEY_ID"),
                let secret = environment.value(of: "AWS_SECRET_ACCESS_KEY")
            else {
                found = nil
                return
            }
            found = S3Credentials(
                accessKeyID: identifier, secretAccessKey: secret,
                sessionToken: environment.value(of: "AWS_SESSION_TOKEN"))
        }

        /// Returns the credentials; `nil` unless identifier and secret are set and not empty.
        public func credentials() async throws -> S3Credentials? { found }
    }

    extension S3CredentialsProvider where Self == S3EnvironmentCredentials {
        /// The credentials in the environment variables of the process.
        public static var environment: Self { S3EnvironmentCredentials() }
    }

    extension [String: String] {
        /// Returns the value of a variable; `nil` if it is missing or empty.
        func value(of name: String) -> String? {
            guard let value = self[name], !value.isEmpty else { return nil }
            return value
        }
    }
#endif
