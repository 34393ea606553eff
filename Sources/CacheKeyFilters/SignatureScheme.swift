/// The query items of one signature scheme. Names are case-sensitive, as in the documentation of the vendors.
struct SignatureScheme: Sendable {
    /// The items required by the scheme.
    let required: Set<[UInt8]>
    /// The optional items.
    let optional: Set<[UInt8]>

    private init(required: [String], optional: [String]) {
        self.required = Set(required.map { Array($0.utf8) })
        self.optional = Set(optional.map { Array($0.utf8) })
    }

    /// Whether an item with this name is part of the signature.
    func contains(_ name: [UInt8]) -> Bool { required.contains(name) || optional.contains(name) }
}

extension RemoveSignatures.Provider {
    /// The signature schemes of this provider.
    var schemes: [SignatureScheme] {
        switch self {
        case .aws: [.awsVersion4, .awsVersion2]
        case .googleCloudStorage: [.googleVersion4, .googleVersion2]
        case .azureStorage: [.sharedAccess]
        case .cloudFront: [.cloudFront]
        }
    }
}

extension SignatureScheme {
    // Amazon S3 API Reference, "Authenticating Requests: Using Query Parameters (AWS Signature Version 4)".
    fileprivate static let awsVersion4 = SignatureScheme(
        required: ["X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature"],
        optional: [
            "X-Amz-Content-Sha256", "X-Amz-Date", "X-Amz-Expires", "X-Amz-Region-Set", "X-Amz-Security-Token",
            "X-Amz-SignedHeaders",
        ])

    // Amazon S3 User Guide, "Signing and authenticating REST requests", "Query string request authentication alternative".
    fileprivate static let awsVersion2 = SignatureScheme(
        required: ["AWSAccessKeyId", "Expires", "Signature"], optional: ["x-amz-security-token"])

    // Cloud Storage documentation, "Signed URLs", "Required query parameters".
    fileprivate static let googleVersion4 = SignatureScheme(
        required: ["X-Goog-Algorithm", "X-Goog-Credential", "X-Goog-Signature"],
        optional: ["X-Goog-Date", "X-Goog-Expires", "X-Goog-SignedHeaders"])

    // Cloud Storage documentation, "V2 signing process".
    fileprivate static let googleVersion2 = SignatureScheme(
        required: ["GoogleAccessId", "Expires", "Signature"], optional: [])

    // Azure Storage REST API, "Create a service SAS", "Create an account SAS" and "Create a user delegation SAS".
    fileprivate static let sharedAccess = SignatureScheme(
        required: ["sig", "sv"],
        optional: [
            "saoid", "scid", "sdd", "sduoid", "se", "ses", "si", "sip", "skdutid", "ske", "skoid", "sks", "skt",
            "sktid",
            "skv", "sp", "spr", "sr", "srt", "ss", "st", "suoid",
        ])

    // CloudFront Developer Guide, "Create a signed URL using a canned policy" and "… using a custom policy".
    fileprivate static let cloudFront = SignatureScheme(
        required: ["Key-Pair-Id", "Signature"], optional: ["Expires", "Hash-Algorithm", "Policy"])
}
