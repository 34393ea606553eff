#if HTTP
    import DarkroomCore
    public import DarkroomPlatform
    import Synchronization

    /// Cookies in memory, for the lifetime of the process (RFC 6265).
    ///
    /// A cookie is sent only to the host that set it, whatever its `Domain` says: only the public suffix list
    /// shows which domains belong to one owner, and it is not available here. Name your own domains in `sharedDomains`;
    /// within them `Domain` is honoured.
    public final class CookieStore: Sendable {
        private let sharedDomains: Set<String>
        private let countLimit: Int
        /// The cookies, in order of creation.
        private let cookies = Mutex<[Cookie]>([])
        /// The number of changes by the app.
        private let changeCount = Atomic(0)

        /// Creates an empty store.
        ///
        /// Within `sharedDomains`, such as `example.com`, cookies may be sent to several hosts. Beyond `countLimit`
        /// cookies the oldest are removed, and so are the oldest cookies of a host that has set more than 50.
        public init(sharedDomains: Set<String> = [], countLimit: Int = 1000) {
            self.sharedDomains = Set(sharedDomains.map(\.asciiLowercased))
            self.countLimit = max(0, countLimit)
        }

        /// The number of stored cookies.
        public var count: Int { cookies.withLock(\.count) }

        /// Stores a cookie as if a response from `url` contained it in a `Set-Cookie` field, such as `session=1;
        /// Path=/; Secure`.
        public func set(_ field: String, for url: URL) {
            store([field], from: url)
            changeCount.add(1, ordering: .relaxed)
        }

        /// Removes all cookies.
        public func removeAll() {
            cookies.withLock { $0 = [] }
            changeCount.add(1, ordering: .relaxed)
        }

        /// A text that each change by the app replaces.
        var state: String { "#\(changeCount.load(ordering: .relaxed))" }

        /// Stores the cookies of the `Set-Cookie` fields of a response from `url`.
        func store(_ fields: [String], from url: URL, now: Date = Date()) {
            // A response may contain any number of them.
            let new = fields.suffix(Self.countLimitOfHost).compactMap {
                Cookie($0, from: url, now: now, sharedDomains: sharedDomains)
            }
            guard !new.isEmpty else { return }
            let isSecure = Origin(url)?.isSecure == true
            cookies.withLock { cookies in
                for cookie in new { Self.insert(cookie, isFromSecureOrigin: isSecure, into: &cookies) }
                cookies.removeAll { $0.expires <= now }
                for domain in Set(new.map(\.domain)) { Self.trim(&cookies, of: domain) }
                cookies.removeFirst(max(0, cookies.count - countLimit))
            }
        }

        /// Returns the `Cookie` field for a request to `url`; `nil` when no cookie matches.
        func header(for url: URL, now: Date = Date()) -> String? {
            let matching = cookies.withLock { $0.filter { $0.matches(url, now: now) } }
            // Longer paths come first, then older cookies; the offsets make the sort stable.
            let sorted = matching.enumerated().sorted { a, b in
                (b.element.path.utf8.count, a.offset) < (a.element.path.utf8.count, b.offset)
            }
            return sorted.isEmpty
                ? nil : sorted.map { "\($0.element.name)=\($0.element.value)" }.joined(separator: "; ")
        }

        private static let countLimitOfHost = 50

        /// Inserts `cookie` or replaces the stored one. A response over an insecure connection must not replace a
        /// secure cookie, because an attacker on the network could have written it.
        private static func insert(_ cookie: Cookie, isFromSecureOrigin: Bool, into cookies: inout [Cookie]) {
            if let index = cookies.firstIndex(where: cookie.replaces) {
                if isFromSecureOrigin || !cookies[index].isSecure { cookies[index] = cookie }
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
