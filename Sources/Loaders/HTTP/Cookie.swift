#if HTTP
    import DarkroomCore
    import DarkroomPlatform

    /// A stored cookie (RFC 6265, section 5.3).
    struct Cookie: Sendable {
        /// The limit on the combined size of name and value.
        private static let byteLimit = 4096

        /// The limit on the size of a field. Longer fields are ignored, because any number of attributes can follow the
        /// value.
        private static let fieldByteLimit = 8192

        let name, value: String

        /// The host that the cookie is sent to, along with its subdomains unless `isHostOnly`.
        private(set) var domain: String
        private(set) var isHostOnly = true
        private(set) var path: String
        private(set) var isSecure = false
        private(set) var expires = Date.distantFuture

        /// Creates the cookie of a `Set-Cookie` field received from `url`; `nil` when it must be ignored. The cookie
        /// may be sent to other hosts only within `sharedDomains`.
        init?(_ field: String, from url: URL, now: Date, sharedDomains: Set<String>) {
            guard let origin = Origin(url), field.utf8.count <= Self.fieldByteLimit,
                field.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
            else { return nil }
            var parts = field.fields(separatedBy: UInt8(ascii: ";")).map(Attribute.init)
            let pair = parts.removeFirst()
            guard let value = pair.value, !pair.name.isEmpty, pair.name.utf8.count + value.utf8.count <= Self.byteLimit
            else { return nil }
            name = pair.name
            self.value = value
            domain = origin.host
            path = url.defaultCookiePath
            for part in parts { guard apply(part, sharedDomains: sharedDomains) else { return nil } }
            if let age = parts.last(where: { $0.isNamed("max-age") })?.seconds {
                expires = age <= 0 ? .distantPast : min(now + age, .distantFuture)
            }
            guard !isSecure || origin.isSecure, satisfiesNamePrefix(parts) else { return nil }
        }

        /// Returns whether it is the same cookie as `other`, so that one replaces the other.
        func replaces(_ other: Cookie) -> Bool {
            name.hasBytes(of: other.name) && domain.hasBytes(of: other.domain) && path.hasBytes(of: other.path)
        }

        /// Returns whether it is sent to `url`.
        func matches(_ url: URL, now: Date) -> Bool {
            guard let origin = Origin(url), expires > now, !isSecure || origin.isSecure else { return false }
            return (isHostOnly ? origin.host.hasBytes(of: domain) : origin.host.isInDomain(domain))
                && url.cookiePath.isBelow(path)
        }

        private mutating func apply(_ part: Attribute, sharedDomains: Set<String>) -> Bool {
            if part.isNamed("secure") { isSecure = true }
            if part.isNamed("path"), let value = part.value, value.utf8.first == UInt8(ascii: "/") { path = value }
            if part.isNamed("expires"), let date = part.value.flatMap(Date.init(cookieDate:)) { expires = date }
            guard part.isNamed("domain"), let value = part.value?.asciiLowercased, !value.isEmpty else { return true }
            let wanted = value.utf8.first == UInt8(ascii: ".") ? String(Substring(value.utf8.dropFirst())) : value
            guard domain.isInDomain(wanted) else { return false }
            if sharedDomains.contains(where: { wanted.isInDomain($0) }) { (domain, isHostOnly) = (wanted, false) }
            return true
        }

        /// Whether the cookie meets the requirements of the `__Host-` and `__Secure-` name prefixes (RFC 6265bis,
        /// section 4.1.3).
        private func satisfiesNamePrefix(_ parts: [Attribute]) -> Bool {
            if name.startsIgnoringASCIICase(with: "__host-") {
                return isSecure && path == "/" && !parts.contains { $0.isNamed("domain") }
            }
            return !name.startsIgnoringASCIICase(with: "__secure-") || isSecure
        }
    }

    /// An attribute of a `Set-Cookie` field.
    private struct Attribute {
        let name: String
        let value: String?

        init(_ text: Substring) {
            let parts = text.fields(separatedBy: UInt8(ascii: "="), maxSplits: 1).map(\.trimmed)
            name = String(parts[0])
            value = parts.count > 1 ? String(parts[1]) : nil
        }

        func isNamed(_ other: String) -> Bool { name.asciiLowercased == other }

        /// The value as a number of seconds, which may be negative, and have any number of digits (section 5.2.2).
        var seconds: Double? {
            guard let value else { return nil }
            let isNegative = value.utf8.first == UInt8(ascii: "-")
            let digits = Substring(value.utf8.dropFirst(isNegative ? 1 : 0))
            guard digits.isDecimal, let count = Double(digits) else { return nil }
            return isNegative ? -count : count
        }
    }

    extension String {
        /// Whether this host is `domain` or a subdomain of it. An address is only in the domain that equals it.
        fileprivate func isInDomain(_ domain: String) -> Bool {
            hasBytes(of: domain) || endsWithBytes(of: ".\(domain)") && IPAddress(self) == nil
        }

        private func endsWithBytes(of other: String) -> Bool { utf8.suffix(other.utf8.count).elementsEqual(other.utf8) }

        /// Whether this path is `path` or below it (section 5.1.4).
        fileprivate func isBelow(_ path: String) -> Bool {
            guard startsWithBytes(of: path) else { return false }
            let rest = utf8.dropFirst(path.utf8.count)
            return rest.isEmpty || path.utf8.last == UInt8(ascii: "/") || rest.first == UInt8(ascii: "/")
        }
    }

    extension URL {
        fileprivate var cookiePath: String {
            let path = URLComponents(url: self, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
            return path.utf8.first == UInt8(ascii: "/") ? path : "/"
        }

        /// The path up to its last slash (section 5.1.4).
        fileprivate var defaultCookiePath: String {
            let path = cookiePath
            let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] } ?? ""
            return folder.isEmpty ? "/" : String(folder)
        }
    }
#endif
