#if S3
    import DarkroomCore
    import DarkroomPlatform

    /// The credentials in the file that the AWS tools share, `~/.aws/credentials`.
    ///
    /// The environment variable `AWS_SHARED_CREDENTIALS_FILE` names another file, and `AWS_PROFILE` a section other than
    /// `default`. Only keys are read: other ways to log in, such as roles and processes, are ignored.
    public struct S3SharedFileCredentials: S3CredentialsProvider {
        private static let executor = WorkExecutor(name: "credentials", width: 1)

        private let path: String?
        private let profile: String

        /// Creates a provider.
        ///
        /// - Parameters:
        ///   - path: The path of the file; `nil` for that of the environment.
        ///   - profile: The name of the section; `nil` for that of the environment.
        ///   - environment: The environment variables, by default those of the process.
        public init(path: String? = nil, profile: String? = nil, environment: [String: String]? = nil) {
            let environment = environment ?? ProcessInfo.processInfo.environment
            self.path =
                path ?? environment.value(of: "AWS_SHARED_CREDENTIALS_FILE")
                ?? environment.value(of: "HOME").map { "\($0)/.aws/credentials" }
            self.profile = profile ?? environment.value(of: "AWS_PROFILE") ?? "default"
        }

        /// Returns the credentials of the section; `nil` if the file or the section is missing.
        public func credentials() async throws -> S3Credentials? {
            guard let path, let text = try await Self.contents(of: path) else { return nil }
            let section = CredentialsFile(text).section(profile)
            guard let identifier = section.value(of: "aws_access_key_id"),
                let secret = section.value(of: "aws_secret_access_key")
            else { return nil }
            return S3Credentials(
                accessKeyID: identifier, secretAccessKey: secret, sessionToken: section.value(of: "aws_session_token"))
        }

        /// Returns the first 64 KiB of a file, read on a thread of its own; `nil` if it does not exist.
        static func contents(of path: String) async throws -> String? {
            try await executor.run {
                guard FileManager.default.fileExists(atPath: path) else { return nil }
                guard let text = SystemFile.text(of: path) else {
                    throw ImageError(.refused, .request, "the credentials file \(path) cannot be read")
                }
                return text
            }
        }
    }

    extension S3CredentialsProvider where Self == S3SharedFileCredentials {
        /// The credentials in the file that the AWS tools share.
        public static var sharedFile: Self { S3SharedFileCredentials() }
    }
#endif
