#if HTTP
    import DarkroomCore
    import NIOHTTP1

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// One of the requests of a transfer: where it goes and what it says. Redirects lead from one to the next.
    struct Hop: Sendable {
        /// Where it goes; never with a user or a password.
        private(set) var url: URL

        private var fields: HTTPHeaders
        private var credential: HTTPCredential?
        private let configuration: HTTPLoader.Configuration
        /// Whether secure connections are made with a certificate of our own.
        private let identifiesClient: Bool
        /// The URL that the validators are from, if there are any.
        private let validated: URL?

        /// The first one of `request`.
        init(
            _ request: LoadRequest, _ configuration: HTTPLoader.Configuration, identifiesClient: Bool = false
        ) throws(ImageError) {
            let (url, credential) = try request.url.withoutUser
            self.url = url
            self.credential = request.context.httpCredential ?? credential
            self.configuration = configuration
            self.identifiesClient = identifiesClient
            validated = request.validators.isEmpty ? nil : request.stored?.url
            fields = try request.headers(configuration)
        }

        /// Goes where a redirect points, without what was meant for one origin only if that is another one.
        ///
        /// The way back does not bring it back. A user in `target` is the origin's word, not the caller's, and not used.
        mutating func follow(to target: URL) throws(ImageError) {
            if Origin(target) != Origin(url) {
                fields.removePrivateFields(keepingCustom: configuration.forwardsHeadersAcrossOrigins)
                credential = nil
            }
            url = try target.withoutUser.url
        }

        /// The header fields, with the credential and the cookies for where it goes.
        var headers: HTTPHeaders {
            get throws(ImageError) {
                var headers = fields
                if let validated, !validated.absoluteString.hasBytes(of: url.absoluteString) {
                    headers.keepStrongTagOnly()
                }
                if !headers.contains(name: "Authorization"), let credential = credential ?? configuredCredential {
                    guard let value = credential.authorization else {
                        throw ImageError(.refused, .load, "the credential holds characters that cannot be sent")
                    }
                    headers.add(name: "Authorization", value: value)
                }
                if !headers.contains(name: "Cookie"), let cookies = configuration.cookies?.header(for: url) {
                    headers.add(name: "Cookie", value: cookies)
                }
                return headers
            }
        }

        /// The names of what it says that may tell who asks, in lower case.
        ///
        /// A field that is not known to be harmless may be a key as well as anything else.
        var credentials: Set<String> {
            get throws(ImageError) {
                let names = try headers.privateNames
                return identifiesClient && Origin(url)?.isSecure == true ? names.union(["client certificate"]) : names
            }
        }

        private var configuredCredential: HTTPCredential? {
            guard let origin = Origin(url) else { return nil }
            return configuration.credentials.first { Origin(text: $0.key) == origin }?.value
        }
    }

    extension LoadRequest {
        /// Which fields tell its first hop who asks; all for a request that cannot be sent.
        func secrets(_ configuration: HTTPLoader.Configuration) -> Set<String> {
            (try? Hop(self, configuration).headers)?.secrets ?? HTTPHeaders.secretNames
        }
    }

    extension HTTPHeaders {
        /// The names of the fields that tell who asks, in lower case.
        fileprivate static let secretNames: Set = ["authorization", "cookie", "proxy-authorization"]

        /// Which of the fields that tell who asks there are.
        var secrets: Set<String> { Self.secretNames.filter { contains(name: $0) } }

        /// Removes the validators that say nothing of another URL than the one that they are from: all but a strong tag.
        fileprivate mutating func keepStrongTagOnly() {
            remove(name: "If-Modified-Since")
            if first(name: "If-None-Match")?.startsWithBytes(of: "W/") == true { remove(name: "If-None-Match") }
        }

        /// Fields that any origin may see: they say nothing about the caller. Validators are `keepStrongTagOnly`'s.
        private static let harmlessNames: Set = [
            "accept", "accept-encoding", "accept-language", "cache-control", "if-modified-since", "if-none-match",
            "user-agent",
        ]

        /// The names of all fields but those that any origin may see, in lower case.
        fileprivate var privateNames: Set<String> { Set(map { $0.name.lowercased() }).subtracting(Self.harmlessNames) }

        /// Removes what was meant for one origin only: credentials, and all else that may tell who asks unless
        /// `keepingCustom`.
        fileprivate mutating func removePrivateFields(keepingCustom: Bool) {
            let removed = keepingCustom ? Self.secretNames.union(["host"]) : privateNames
            for name in removed { remove(name: name) }
        }
    }
#endif
