#if HTTP
    import DarkroomCore
    import DarkroomPlatform
    import NIOHTTP1

    /// One request of a transfer: its URL and header fields. A redirect leads from one hop to the next.
    struct RedirectHop: Sendable {
        /// The URL of the request, without user name and password.
        private(set) var url: URL

        private var fields: HTTPHeaders
        private var credential: HTTPCredential?
        private let configuration: HTTPLoader.Configuration
        /// Whether secure connections send a client certificate.
        private let sendsClientCertificate: Bool
        /// The URL of the stored response that the validators belong to, if there are any.
        private let validated: URL?

        /// Creates the first hop of `request`.
        init(
            for request: LoadRequest, configuration: HTTPLoader.Configuration, sendsClientCertificate: Bool = false
        ) throws(ImageError) {
            let (url, credential) = try request.url.withoutUser
            self.url = url
            self.credential = request.context.httpCredential ?? credential
            self.configuration = configuration
            self.sendsClientCertificate = sendsClientCertificate
            validated = request.validators.isEmpty ? nil : request.stored?.url
            fields = try request.headers(configuration)
        }

        /// Follows a redirect. If it leads to another origin, the fields and credentials meant for one origin only are
        /// removed.
        ///
        /// They stay removed if a later redirect leads back. A user name in `target` was chosen by the origin, not by
        /// the caller, and is ignored.
        mutating func follow(to target: URL) throws(ImageError) {
            if Origin(target) != Origin(url) {
                fields.removePrivateFields(keepingCustom: configuration.forwardsHeadersAcrossOrigins)
                credential = nil
            }
            url = try target.withoutUser.url
        }

        /// The header fields, with the credential and the cookies for the URL.
        var headers: HTTPHeaders {
            get throws(ImageError) {
                var headers = fields
                if let validated, !validated.absoluteString.hasBytes(of: url.absoluteString) {
                    headers.keepStrongTagOnly()
                }
                if !headers.contains(name: "Authorization"), let credential = credential ?? configuredCredential {
                    guard let value = credential.authorization else {
                        throw ImageError(.refused, .load, "the credential contains characters that cannot be sent")
                    }
                    headers.add(name: "Authorization", value: value)
                }
                if !headers.contains(name: "Cookie"), let cookies = configuration.cookies?.header(for: url) {
                    headers.add(name: "Cookie", value: cookies)
                }
                return headers
            }
        }

        /// The names of the sent fields that may identify the caller, in lower case.
        ///
        /// A field that is not known to be harmless may be a key like any other secret.
        var credentials: Set<String> {
            get throws(ImageError) {
                let names = try headers.privateNames
                return sendsClientCertificate && Origin(url)?.isSecure == true
                    ? names.union(["client certificate"]) : names
            }
        }

        private var configuredCredential: HTTPCredential? {
            guard !configuration.credentials.isEmpty, let origin = Origin(url) else { return nil }
            return configuration.credentials.first { Origin(text: $0.key) == origin }?.value
        }
    }

    extension LoadRequest {
        /// Returns the names of the fields that identify the caller to the first hop; all such names for a request that
        /// cannot be sent.
        func credentialFields(_ configuration: HTTPLoader.Configuration) -> Set<String> {
            (try? RedirectHop(for: self, configuration: configuration).headers)?.credentialFields
                ?? HTTPHeaders.credentialFieldNames
        }
    }

    extension HTTPHeaders {
        /// The names of the fields that identify the caller, in lower case.
        fileprivate static let credentialFieldNames: Set = ["authorization", "cookie", "proxy-authorization"]

        /// The names of the fields present that identify the caller.
        var credentialFields: Set<String> { Self.credentialFieldNames.filter { contains(name: $0) } }

        /// Removes the validators that are meaningless for another URL than their own: all but a strong entity tag.
        fileprivate mutating func keepStrongTagOnly() {
            remove(name: "If-Modified-Since")
            if first(name: "If-None-Match")?.startsWithBytes(of: "W/") == true { remove(name: "If-None-Match") }
        }

        /// The fields that reveal nothing about the caller, so that any origin may see them. `keepStrongTagOnly`
        /// handles the validators.
        private static let harmlessNames: Set = [
            "accept", "accept-encoding", "accept-language", "cache-control", "if-modified-since", "if-none-match",
            "user-agent",
        ]

        /// The names of all fields but the harmless ones, in lower case.
        fileprivate var privateNames: Set<String> { Set(map { $0.name.lowercased() }).subtracting(Self.harmlessNames) }

        /// Removes the fields meant for one origin only: credentials, and, unless `keepingCustom`, every field that may
        /// identify the caller.
        fileprivate mutating func removePrivateFields(keepingCustom: Bool) {
            let removed = keepingCustom ? Self.credentialFieldNames.union(["host"]) : privateNames
            for name in removed { remove(name: name) }
        }
    }
#endif
