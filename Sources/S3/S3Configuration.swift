#if S3
    public import DarkroomCore
    import DarkroomHTTPGuard
    public import DarkroomPlatform

    /// The way to reach an S3-compatible engine, for ``S3ObjectStore`` and ``S3Loader``.
    public struct S3Configuration: Sendable {
        /// The place of the bucket in the URLs of requests.
        public enum Addressing: Hashable, Sendable {
            /// In the path, as in `https://s3.example.com/bucket/key`. Every engine supports it.
            case path
            /// In the host, as in `https://bucket.s3.example.com/key`. AWS recommends it.
            case virtualHost
        }

        /// The URL of the engine: a scheme, `http` or `https`, a host, and a port unless it is the default.
        public var endpoint: URL

        /// The region with which requests are signed: `us-east-1`. Most engines that are not AWS ignore it.
        public var region: String

        /// The place of the bucket in URLs: the path.
        public var addressing = Addressing.path

        /// The source of the credentials.
        public var credentials: any S3CredentialsProvider

        /// The certificate authorities that are trusted: the system's.
        public var trustRoots = S3TrustRoots.system

        /// Whether certificates are accepted without verification: `false`. Only for tests.
        public var allowsInvalidCertificates = false

        /// The timeout for establishing a connection, TLS included: 2 seconds.
        public var connectTimeout: Duration = .seconds(2)

        /// The maximum number of connections: 32. Other requests wait. An ``S3Loader`` has at least as many as transfers.
        public var connectionLimit = 32

        /// The maximum number of retries within the deadline of a call to ``S3ObjectStore``, or the `firstByteTimeout` of an
        /// ``S3Loader``: 2.
        ///
        /// A request is retried if its connection breaks, or for the statuses 429, 500, 502, 503 and 504. The pauses grow
        /// from about 50 ms.
        public var retryLimit = 2

        /// Addresses of hosts, in place of those that the system resolves.
        package var hostAddresses: [String: String] = [:]

        /// Creates a configuration for the engine at `endpoint`.
        public init(
            endpoint: URL, region: String = "us-east-1", credentials: some S3CredentialsProvider
        ) {
            self.endpoint = endpoint
            self.region = region
            self.credentials = credentials
        }

        /// The host of the engine, for messages.
        var hostName: String { endpoint.host ?? "" }

        /// Returns the configuration for Amazon S3 in `region`, such as `eu-central-1`.
        public static func amazon(region: String, credentials: some S3CredentialsProvider) -> S3Configuration {
            let endpoint = URL(string: "https://s3.\(region).amazonaws.com") ?? URL(filePath: "/")
            var configuration = S3Configuration(endpoint: endpoint, region: region, credentials: credentials)
            configuration.addressing = .virtualHost
            return configuration
        }

        /// Throws an error of kind `refused` that names the property when a setting is invalid.
        public func validate() throws(ImageError) {
            let isHTTP = ["http", "https"].contains(endpoint.scheme?.asciiLowercased)
            let hasOnlyHost =
                endpoint.host?.isEmpty == false && ["", "/"].contains(endpoint.path) && endpoint.query == nil
                && endpoint.user == nil
            try require(
                isHTTP && hasOnlyHost, setting: "endpoint", rule: "must be a URL such as https://s3.example.com")
            try require(
                !region.isEmpty && region.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_".utf8.contains($0) },
                setting: "region", rule: "must consist of letters, digits and hyphens")
            try require(
                trustRoots.authorities.isValid, setting: "trustRoots", rule: "contains no certificates in PEM form")
            try require(connectTimeout > .zero, setting: "connectTimeout", rule: "must be positive")
            try require(connectionLimit >= 1, setting: "connectionLimit", rule: "must be at least 1")
            try require(retryLimit >= 0, setting: "retryLimit", rule: "must not be negative")
        }

        private func require(_ isValid: Bool, setting: String, rule: String) throws(ImageError) {
            guard !isValid else { return }
            throw ImageError(.refused, .request, "S3Configuration.\(setting) \(rule)")
        }
    }

    extension String {
        /// Whether a bucket may have this name, as far as URLs are concerned.
        var isBucketName: Bool {
            (1...255).contains(utf8.count) && utf8.allSatisfy { $0.isASCIIAlphanumeric || "-._".utf8.contains($0) }
                && ![".", ".."].contains(self)
        }
    }
#endif
