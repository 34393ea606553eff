#if HTTP
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// What proves to an origin who asks. Its text is sent, and appears nowhere else: neither in descriptions nor in errors.
    public struct HTTPCredential: Hashable, Sendable {
        private enum Form: Hashable, Sendable {
            case basic(user: String, password: String)
            case bearer(String)
        }

        private let form: Form

        /// A user and a password (RFC 7617). Whoever sees a request over `http:` sees both.
        public static func basic(user: String, password: String) -> HTTPCredential {
            HTTPCredential(form: .basic(user: user, password: password))
        }

        /// A token (RFC 6750).
        public static func bearer(_ token: String) -> HTTPCredential { HTTPCredential(form: .bearer(token)) }

        /// The value of `Authorization`; `nil` when it cannot be sent.
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

        /// User and password of a basic one.
        var basic: (user: String, password: String)? {
            guard case .basic(let user, let password) = form else { return nil }
            return (user, password)
        }

        /// What tells it from others in this process, and does not tell what it is: two hashes with secrets of the process.
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
        /// Its sort.
        public var description: String { basic == nil ? "bearer credential" : "basic credential" }

        /// Its sort.
        public var debugDescription: String { description }

        /// Nothing, so that dumping does not show what describing hides.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }
#endif
