#if HTTP
    import DarkroomPlatform

    /// A credential that authenticates the client to an origin. Its secret is only ever sent to that origin: it appears
    /// in no description and no error.
    public struct HTTPCredential: Hashable, Sendable {
        private enum Form: Hashable, Sendable {
            case basic(user: String, password: String)
            case bearer(String)
        }

        private let form: Form

        /// Creates a user name and password (RFC 7617). Over `http:` anyone who can read the request can read both.
        public static func basic(user: String, password: String) -> HTTPCredential {
            HTTPCredential(form: .basic(user: user, password: password))
        }

        /// Creates a bearer token (RFC 6750).
        public static func bearer(_ token: String) -> HTTPCredential { HTTPCredential(form: .bearer(token)) }

        /// The value of the `Authorization` field; `nil` when the credential cannot be written as one.
        var authorization: String? {
            switch form {
            case .basic(let user, let password):
                guard !user.utf8.contains(UInt8(ascii: ":")) else { return nil }
                return "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())"
            case .bearer(let token):
                guard !token.isEmpty, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
                return "Bearer \(token)"
            }
        }

        /// The user name and password of a basic credential.
        var basic: (user: String, password: String)? {
            guard case .basic(let user, let password) = form else { return nil }
            return (user, password)
        }

    }

    extension Hashable {
        /// A fingerprint that distinguishes secrets within this process without revealing them: two hashes seeded by the
        /// process.
        var fingerprint: String {
            [0, 1].map { salt in
                var hasher = Hasher()
                hasher.combine(salt)
                hasher.combine(self)
                return String(UInt(bitPattern: hasher.finalize()), radix: 16)
            }.joined()
        }
    }

    extension HTTPCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        /// The kind of credential, without the secret.
        public var description: String { basic == nil ? "bearer credential" : "basic credential" }

        /// The kind of credential, without the secret.
        public var debugDescription: String { description }

        /// An empty mirror, so that `dump` does not reveal the secret.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }
#endif
