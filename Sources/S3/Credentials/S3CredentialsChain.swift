#if S3
    /// The credentials of the first of several providers that has any.
    ///
    /// A provider that fails ends the search with its error.
    public struct S3CredentialsChain: S3CredentialsProvider {
        /// The providers, in the order in which they are asked.
        public var providers: [any S3CredentialsProvider]

        /// Creates a chain of `providers`.
        public init(_ providers: [any S3CredentialsProvider]) { self.providers = providers }

        /// Returns the credentials of the first provider that has any.
        public func credentials() async throws -> S3Credentials? {
            for provider in providers {
                if let credentials = try await provider.credentials() { return credentials }
            }
            return nil
        }
    }

    extension S3CredentialsProvider where Self == S3CredentialsChain {
        /// The environment variables, the shared file, the endpoint of the container, and that of the virtual machine,
        /// in this order.
        public static var standard: Self {
            S3CredentialsChain([
                S3EnvironmentCredentials(), S3SharedFileCredentials(), S3ContainerCredentials(),
                S3InstanceCredentials(),
            ])
        }
    }
#endif
