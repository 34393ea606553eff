/// The credentials with which requests to an S3-compatible engine are signed.
public struct S3Credentials: Hashable, Sendable {
    /// The identifier of the access key.
    public var accessKeyID: String

    /// The secret of the access key.
    public var secretAccessKey: String

    /// The token of temporary credentials; `nil` for permanent ones.
    public var sessionToken: String?

    /// Creates credentials.
    public init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
    }
}
