#if HTTP
    import AsyncHTTPClient

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// A cookie as it is kept (RFC 6265, section 5.3).
    struct Cookie: Sendable {
        /// Name and value count together as its size.
        private static let byteLimit = 4096

        let name, value: String

        /// The host that it goes to, and hosts below it unless `isHostOnly`.
        private(set) var domain: String
        private(set) var isHostOnly = true
        private(set) var path: String
        private(set) var isSecure = false
        private(set) var expires = Date.distantFuture

        /// The cookie of a `Set-Cookie` field that came from `url`; `nil` when it must be ignored. Only for `sharedDomains`
        /// may it go to other hosts than that one.
        init?(_ field: String, from url: URL, now: Date, sharedDomains: Set<String>) {
            guard let origin = Origin(url), field.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
            var parts = field.split(separator: ";", omittingEmptySubsequences: false).map(Attribute.init)
            let pair = parts.removeFirst()
            guard let value = pair.value, !pair.name.isEmpty, pair.name.utf8.count + value.utf8.count <= Self.byteLimit
            else { return nil }
            name = pair.name
            self.value = value
            domain = origin.host
            path = url.defaultCookiePath
            for part in parts { guard apply(part, now: now, sharedDomains) else { return nil } }
            if let age = parts.last(where: { $0.isNamed("max-age") })?.value.flatMap(Int.init) {
                expires = age <= 0 ? .distantPast : now + TimeInterval(age)
            }
            guard !isSecure || origin.isSecure, keepsPromiseOfName(parts) else { return nil }
        }

        /// Whether it is the same cookie as `other`, so that one replaces the other.
        func replaces(_ other: Cookie) -> Bool { name == other.name && domain == other.domain && path == other.path }

        /// Whether it is sent to `url`.
        func goes(to url: URL, now: Date) -> Bool {
            guard let origin = Origin(url), expires > now, !isSecure || origin.isSecure else { return false }
            return (isHostOnly ? origin.host == domain : origin.host.isInDomain(domain)) && url.cookiePath.isBelow(path)
        }

        private mutating func apply(_ part: Attribute, now: Date, _ sharedDomains: Set<String>) -> Bool {
            if part.isNamed("secure") { isSecure = true }
            if part.isNamed("path"), let value = part.value, value.hasPrefix("/") { path = value }
            if part.isNamed("expires"), let date = part.value.flatMap(Date.init(cookieDate:)) { expires = date }
            guard part.isNamed("domain"), let value = part.value?.lowercased(), !value.isEmpty else { return true }
            let wanted = value.hasPrefix(".") ? String(value.dropFirst()) : value
            guard domain.isInDomain(wanted) else { return false }
            if sharedDomains.contains(where: { wanted.isInDomain($0) }) { (domain, isHostOnly) = (wanted, false) }
            return true
        }

        /// The names that a server can trust because others cannot set them (RFC 6265bis, section 4.1.3).
        private func keepsPromiseOfName(_ parts: [Attribute]) -> Bool {
            let name = name.lowercased()
            if name.hasPrefix("__host-") {
                return isSecure && path == "/" && !parts.contains { $0.isNamed("domain") }
            }
            return !name.hasPrefix("__secure-") || isSecure
        }
    }

    /// A part of a `Set-Cookie` field.
    private struct Attribute {
        let name: String
        let value: String?

        init(_ text: Substring) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.withoutBlanks)
            name = parts[0]
            value = parts.count > 1 ? parts[1] : nil
        }

        func isNamed(_ other: String) -> Bool { name.lowercased() == other }
    }

    extension Substring {
        fileprivate var withoutBlanks: String {
            String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
    }

    extension String {
        /// Whether this host is `domain` or below it. An address is in no domain but itself.
        fileprivate func isInDomain(_ domain: String) -> Bool {
            self == domain || hasSuffix(".\(domain)") && IPAddress(self) == nil
        }

        /// Whether this path is `path` or below it (section 5.1.4).
        fileprivate func isBelow(_ path: String) -> Bool {
            self == path || hasPrefix(path) && (path.hasSuffix("/") || dropFirst(path.count).first == "/")
        }
    }

    extension URL {
        fileprivate var cookiePath: String {
            let path = URLComponents(url: self, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
            return path.hasPrefix("/") ? path : "/"
        }

        /// The path up to its last slash (section 5.1.4).
        fileprivate var defaultCookiePath: String {
            let folder = cookiePath.lastIndex(of: "/").map { cookiePath[..<$0] } ?? ""
            return folder.isEmpty ? "/" : String(folder)
        }
    }

    extension Date {
        /// The date of a cookie or of a header field, in any of the forms in use.
        init?(cookieDate text: String) {
            guard let date = HTTPClient.Cookie(header: "a=b; expires=\(text)", defaultDomain: "")?.expires else {
                return nil
            }
            self = date
        }
    }
#endif
