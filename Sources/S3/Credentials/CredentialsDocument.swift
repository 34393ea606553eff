#if S3
    import DarkroomCore
    import DarkroomPlatform

    /// The JSON document with which container and instance endpoints return credentials.
    struct CredentialsDocument: Decodable {
        private let identifier, secret: String
        private let token, expiration, code: String?

        private enum CodingKeys: String, CodingKey {
            case identifier = "AccessKeyId"
            case secret = "SecretAccessKey"
            case token = "Token"
            case expiration = "Expiration"
            case code = "Code"
        }

        /// Returns the credentials in `data`.
        ///
        /// - Throws: An error that names `source` and contains nothing of the document.
        static func credentials(in data: Data, from source: String) throws(ImageError) -> S3Credentials {
            guard let document = try? JSONDecoder().decode(CredentialsDocument.self, from: data),
                document.code ?? "Success" == "Success"
            else { throw ImageError(.network, .request, "\(source) returned no credentials") }
            var date: Date?
            if let text = document.expiration {
                date = try? Date(text, strategy: .iso8601)
                guard date != nil else {
                    throw ImageError(.network, .request, "\(source) returned credentials with an invalid expiration")
                }
            }
            return S3Credentials(
                accessKeyID: document.identifier, secretAccessKey: document.secret, sessionToken: document.token,
                expiration: date)
        }
    }
#endif
