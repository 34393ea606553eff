#if S3
    import AsyncHTTPClient
    import Crypto
    import DarkroomCore
    import DarkroomPlatform
    import NIOCore
    import NIOHTTP1

    /// A request to an engine, before it is signed.
    struct S3Request: Sendable {
        /// The SHA-256 of no bytes.
        private static let emptyHash = SHA256.hash(data: Data()).hexadecimalText

        /// The method.
        let method: HTTPMethod

        /// The name of the bucket.
        let bucket: String

        /// The key of the object, with percent escapes; empty for the bucket itself.
        let key: String

        /// The items of the query.
        var query: [(name: String, value: String)] = []

        /// Fields that are sent, but not signed.
        var headers: [(name: String, value: String)] = []

        private let body: ByteBuffer?
        private let payloadHash: String

        /// Creates a request for the object `key`, or for the bucket.
        init(_ method: HTTPMethod, bucket: String, key: some Sequence<UInt8> = [], body: Data? = nil) {
            self.method = method
            self.bucket = bucket
            self.key = PercentEncoding.path(key)
            self.body = body.map { ByteBuffer(bytes: $0) }
            payloadHash = body.map { SHA256.hash(data: $0).hexadecimalText } ?? Self.emptyHash
        }

        /// Returns the message that is sent at `date`.
        ///
        /// - Throws: An error if the credentials contain characters that cannot be sent.
        func signed(
            at date: Date, with credentials: S3Credentials, for configuration: S3Configuration
        ) throws(ImageError) -> HTTPClientRequest {
            try credentials.check()
            let (origin, host) = configuration.origin(of: bucket)
            let path = (configuration.addressing == .path ? "/\(bucket)" : "") + (hasKey ? "/\(key)" : "/")
            let timestamp = date.timestamp
            var fields = [
                (name: "Host", value: host), (name: "x-amz-content-sha256", value: payloadHash),
                (name: "x-amz-date", value: timestamp),
            ]
            if let token = credentials.sessionToken { fields.append((name: "x-amz-security-token", value: token)) }
            let query = PercentEncoding.query(query)
            let canonical = CanonicalRequest(
                method: method.rawValue, path: path, query: query, headers: fields, payloadHash: payloadHash)
            let signature = SignatureV4(
                credentials: credentials, region: configuration.region, timestamp: timestamp)
            fields.append((name: "Authorization", value: signature.authorization(for: canonical)))
            var message = HTTPClientRequest(url: origin + path + (query.isEmpty ? "" : "?\(query)"))
            message.method = method
            message.headers = HTTPHeaders((fields + headers).map { ($0.name, $0.value) })
            if let body { message.body = .bytes(body) }
            return message
        }

        private var hasKey: Bool { !key.isEmpty }
    }

    extension S3Configuration {
        /// Returns scheme and host for requests to `bucket`, and the value of the field `Host`.
        fileprivate func origin(of bucket: String) -> (origin: String, host: String) {
            let scheme = endpoint.scheme?.asciiLowercased ?? "https"
            let name = endpoint.host ?? ""
            // Some versions of Foundation return the address of a URL without its brackets.
            let address = name.utf8.contains(UInt8(ascii: ":")) && !name.startsWithBytes(of: "[") ? "[\(name)]" : name
            let port = endpoint.port.flatMap { $0 == (scheme == "http" ? 80 : 443) ? nil : ":\($0)" } ?? ""
            let host = (addressing == .virtualHost ? "\(bucket)." : "") + address + port
            return ("\(scheme)://\(host)", host)
        }
    }

    extension S3Credentials {
        /// Throws an error unless they can be sent in header fields.
        fileprivate func check() throws(ImageError) {
            let texts = [accessKeyID, sessionToken ?? ""]
            guard texts.allSatisfy({ $0.utf8.allSatisfy { (0x21..<0x7F).contains($0) } }) else {
                throw ImageError(.refused, .request, "the credentials contain characters that cannot be sent")
            }
        }
    }
#endif
