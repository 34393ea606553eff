#if S3
    import DarkroomCore

    /// The normalized form of a request, which is signed.
    struct CanonicalRequest: Sendable {
        /// The method, such as `GET`.
        let method: String

        /// The path as it is sent, with percent escapes.
        let path: String

        /// The query as it is sent: see `PercentEncoding.query`.
        let query: String

        /// The names in lowercase and the values of the signed fields, sorted by name.
        private let fields: [(name: String, value: String)]

        /// The SHA-256 of the body, in hexadecimal.
        let payloadHash: String

        /// Creates the canonical form of a request whose `headers` are all signed.
        init(
            method: String, path: String, query: String = "", headers: [(name: String, value: String)],
            payloadHash: String
        ) {
            self.method = method
            self.path = path
            self.query = query
            self.payloadHash = payloadHash
            var values: [String: [String]] = [:]
            for (name, value) in headers { values[name.asciiLowercased, default: []].append(Self.canonical(value)) }
            fields = values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
                .map { ($0.key, $0.value.joined(separator: ",")) }
        }

        /// The names of the signed fields, separated by semicolons.
        var signedHeaders: String { fields.map(\.name).joined(separator: ";") }

        /// The whole request.
        var text: String {
            let lines = fields.map { "\($0.name):\($0.value)\n" }.joined()
            return [method, path, query, lines, signedHeaders, payloadHash].joined(separator: "\n")
        }

        /// Returns `value` without surrounding blanks, and with single spaces.
        private static func canonical(_ value: String) -> String {
            value.fields(separatedBy: UInt8(ascii: " ")).map(\.trimmed).filter { !$0.isEmpty }.joined(separator: " ")
        }
    }
#endif
