#if HTTP
    import DarkroomCore
    import Synchronization

    #if canImport(FoundationEssentials)
        public import FoundationEssentials
    #else
        public import Foundation
    #endif

    /// Cookies in memory, for as long as the process lives (RFC 6265).
    ///
    /// A cookie goes to the host that set it and to no other, whatever its `Domain` says: which names belong to one owner only
    /// the public suffix list tells, and that is not at hand. Name the domains that are yours, and within them `Domain` counts.
    public final class CookieStore: Sendable {
        private let sharedDomains: Set<String>
        private let countLimit: Int
        /// In the order of their making.
        private let cookies = Mutex<[Cookie]>([])

        /// An empty store.
        ///
        /// Within `sharedDomains`, such as `example.com`, cookies may go to several hosts. Of more than `countLimit` the
        /// oldest are forgotten, and so are those of a host that has set more than 50.
        public init(sharedDomains: Set<String> = [], countLimit: Int = 1000) {
            self.sharedDomains = Set(sharedDomains.map(\.asciiLowercased))
            self.countLimit = max(0, countLimit)
        }

        /// How many there are.
        public var count: Int { cookies.withLock(\.count) }

        /// Takes a cookie as if `url` had answered with it in a `Set-Cookie` field, such as `session=1; Path=/; Secure`.
        public func set(_ field: String, for url: URL) { store([field], from: url) }

        /// Forgets all of them.
        public func removeAll() { cookies.withLock { $0 = [] } }

        /// Takes the `Set-Cookie` fields of an answer from `url`.
        func store(_ fields: [String], from url: URL, now: Date = Date()) {
            // An answer may hold any number.
            let new = fields.suffix(Self.countLimitOfHost).compactMap {
                Cookie($0, from: url, now: now, sharedDomains: sharedDomains)
            }
            guard !new.isEmpty else { return }
            let isSecure = Origin(url)?.isSecure == true
            cookies.withLock { cookies in
                for cookie in new { Self.insert(cookie, isSecure, into: &cookies) }
                cookies.removeAll { $0.expires <= now }
                for domain in Set(new.map(\.domain)) { Self.trim(&cookies, of: domain) }
                cookies.removeFirst(max(0, cookies.count - countLimit))
            }
        }

        /// The `Cookie` field of a request to `url`; `nil` when there is none.
        func header(for url: URL, now: Date = Date()) -> String? {
            let matching = cookies.withLock { $0.filter { $0.goes(to: url, now: now) } }
            // Longer paths first, and the older first among equals; the sort keeps their order.
            let sorted = matching.enumerated().sorted { a, b in
                (b.element.path.utf8.count, a.offset) < (a.element.path.utf8.count, b.offset)
            }
            return sorted.isEmpty
                ? nil : sorted.map { "\($0.element.name)=\($0.element.value)" }.joined(separator: "; ")
        }

        private static let countLimitOfHost = 50

        /// Puts `cookie` in the place of the one that it replaces. One that is for secure connections only, whoever listens
        /// on others must not replace.
        private static func insert(_ cookie: Cookie, _ cameSecurely: Bool, into cookies: inout [Cookie]) {
            if let index = cookies.firstIndex(where: cookie.replaces) {
                if cameSecurely || !cookies[index].isSecure { cookies[index] = cookie }
            } else {
                cookies.append(cookie)
            }
        }

        private static func trim(_ cookies: inout [Cookie], of domain: String) {
            var surplus = cookies.count { $0.domain == domain } - countLimitOfHost
            cookies.removeAll { cookie in
                guard surplus > 0, cookie.domain == domain else { return false }
                surplus -= 1
                return true
            }
        }
    }
#endif
