#if S3
    public import DarkroomPlatform

    /// The credentials with which requests to an S3-compatible engine are signed.
    ///
    /// They are a provider of themselves. Their descriptions contain no secrets.
    public struct S3Credentials: Hashable, Sendable {
        /// The identifier of the access key.
        public var accessKeyID: String

        /// The secret of the access key.
        public var secretAccessKey: String

        /// The token of temporary credentials; `nil` for permanent ones.
        public var sessionToken: String?

        /// The time at which the credentials become invalid; `nil` if that is unknown or never happens.
        public var expiration: Date?

        /// Creates credentials.
        public init(
            accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil, expiration: Date? = nil
        ) {
            self.accessKeyID = accessKeyID
            self.secretAccessKey = secretAccessKey
            self.sessionToken = sessionToken
            self.expiration = expiration
        }
    }

    extension S3Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        /// The first characters of the identifier.
        public var description: String {
            let identifier = accessKeyID.utf8.count < 16 ? "…" : "\(accessKeyID.prefix(4))…"
            return "S3Credentials(\(identifier))"
        }

        /// The same as ``description``.
        public var debugDescription: String { description }

        /// A mirror without children, so that `dump` prints no secrets.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }

    extension S3Credentials: S3CredentialsProvider {
        /// Returns these credentials.
        public func credentials() async throws -> S3Credentials? { self }
    }
#endif
