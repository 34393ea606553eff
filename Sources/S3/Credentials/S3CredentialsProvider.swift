#if S3
    /// A source of credentials.
    ///
    /// A store or loader requests them when it sends its first request, and again before they expire; it remembers them
    /// in between. Only one request is in flight at a time. If a refresh fails, the credentials are used until they
    /// expire.
    public protocol S3CredentialsProvider: Sendable {
        /// Returns the current credentials; `nil` if this source is not configured or has none.
        ///
        /// - Throws: An error if the source is configured, but cannot be read.
        func credentials() async throws -> S3Credentials?
    }
#endif
