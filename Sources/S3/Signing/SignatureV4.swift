#if S3
    import Crypto
    import DarkroomCore
    import DarkroomPlatform

    /// A signature of a request: AWS Signature Version 4.
    ///
    /// See "Authenticating Requests: Using the Authorization Header (AWS Signature Version 4)" in the Amazon S3 API
    /// Reference, and "Create a signed AWS API request" in the AWS Identity and Access Management User Guide.
    struct SignatureV4: Sendable {
        private static let algorithm = "AWS4-HMAC-SHA256"

        /// The credentials to sign with.
        let credentials: S3Credentials

        /// The region of the engine, such as `us-east-1`.
        let region: String

        /// The name of the service.
        var service = "s3"

        /// The time of the request, such as `20130524T000000Z`.
        let timestamp: String

        /// Returns the value of the field `Authorization` of `request`.
        func authorization(for request: CanonicalRequest) -> String {
            "\(Self.algorithm) Credential=\(credentials.accessKeyID)/\(scope),"
                + "SignedHeaders=\(request.signedHeaders),Signature=\(signature(of: request))"
        }

        /// Returns the signature of `request`, in hexadecimal.
        func signature(of request: CanonicalRequest) -> String {
            HMAC<SHA256>.authenticationCode(for: Data(stringToSign(request).utf8), using: signingKey).hexadecimalText
        }

        /// Returns the text that is signed.
        func stringToSign(_ request: CanonicalRequest) -> String {
            [
                Self.algorithm, timestamp, scope,
                SHA256.hash(data: Data(request.text.utf8)).hexadecimalText,
            ].joined(separator: "\n")
        }

        private var day: String { String(timestamp.prefix(8)) }

        private var scope: String { "\(day)/\(region)/\(service)/aws4_request" }

        /// The key, valid for one day, region and service.
        private var signingKey: SymmetricKey {
            let secret = SymmetricKey(data: Data("AWS4\(credentials.secretAccessKey)".utf8))
            return [day, region, service, "aws4_request"].reduce(secret) { key, part in
                SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Data(part.utf8), using: key))
            }
        }
    }
#endif
