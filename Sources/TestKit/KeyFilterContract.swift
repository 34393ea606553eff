public import DarkroomCore
public import DarkroomPlatform

/// The requirements on cache key filters. Each check throws a ``ContractViolation`` that describes the broken rule.
public struct KeyFilterContract: Sendable {
    private let filter: any CacheKeyFilter
    private let context: ImageContext
    private let subject: Subject

    /// Creates the contract of `filter`, called with `context`.
    public init(_ filter: any CacheKeyFilter, context: ImageContext = .init()) {
        self.filter = filter
        self.context = context
        subject = Subject(filter)
    }

    /// Runs all checks, with the URLs given and with built-in ones.
    ///
    /// - Parameters:
    ///   - different: URLs of different images.
    ///   - same: URLs of the same image.
    public func checkAll(different: [URL] = [], same: [URL] = []) throws {
        try checkRepeats(different + same)
        try checkIdempotence(different + same)
        try checkHostileTexts()
        try checkPaths(of: different + same)
        try checkDifferent(different)
        try checkSame(same)
    }

    /// Checks that the filter is deterministic, and that no URL gets an empty key.
    public func checkRepeats(_ urls: [URL] = []) throws {
        for url in urls + Self.samples {
            let first = key(url)
            try subject.require(first?.source.isEmpty != true, "the key of \(url) is empty")
            for _ in 0..<3 {
                try subject.require(key(url) == first, "the key of \(url) changes from call to call")
            }
        }
    }

    /// Checks that filtering a key again does not change it, so that installing the filter twice is harmless.
    ///
    /// Skip this check for filters that intentionally change the key on every application.
    public func checkIdempotence(_ urls: [URL] = []) throws {
        for url in urls + Self.samples {
            guard let once = key(url) else { continue }
            let twice = key(url, filtering: once.source)
            try subject.require(
                twice == once,
                "the key of \(url) is \(once.source.shown), and filtered again \(twice?.source.shown ?? "nil")")
        }
    }

    /// Checks that the filter survives texts that are not valid URLs, and returns the same key for them every time.
    public func checkHostileTexts() throws {
        for (url, text) in Self.hostileTexts.map({ (Self.samples[0], $0) }) {
            try subject.require(
                key(url, filtering: text) == key(url, filtering: text),
                "the key of the text \(text.shown) changes from call to call")
        }
    }

    /// Checks that URLs with different paths have different keys: neither other names nor escapes may be lost, because
    /// `a%2Fb` is the name of one file, and `a/b` that of another in a folder.
    ///
    /// - Parameter urls: URLs whose schemes, hosts and ports are tried as well, for a filter of one site only.
    public func checkPaths(of urls: [URL] = []) throws {
        let origins = Set(urls.compactMap(\.origin)).sorted() + ["https://example.com"]
        for origin in origins { try checkDifferent(Self.paths.compactMap { URL(string: origin + $0) }) }
    }

    /// Checks that URLs of different images have different keys. URLs without a key are ignored, because they are not
    /// cached.
    public func checkDifferent(_ urls: [URL]) throws {
        var seen: [CacheKey: URL] = [:]
        for url in urls {
            guard let key = key(url) else { continue }
            if let other = seen[key], other != url {
                throw subject.violation("\(other) and \(url) have the same key, but are different images")
            }
            seen[key] = url
        }
    }

    /// Checks that all URLs of the same image have the same key.
    public func checkSame(_ urls: [URL]) throws {
        for (one, other) in zip(urls, urls.dropFirst()) {
            try subject.require(
                key(one) == key(other), "\(one) and \(other) have different keys, but are the same image")
        }
    }

    private func key(_ url: URL) -> CacheKey? { key(url, filtering: url.absoluteString) }

    /// Returns a cache key, because it is compared byte by byte.
    private func key(_ url: URL, filtering text: String) -> CacheKey? {
        filter.key(for: url, soFar: text, context: context).map { CacheKey(source: $0) }
    }

    private static let samples: [URL] = [
        "https://example.com/a.png", "https://EXAMPLE.com/b.jpg?b=2&a=1&utm_source=x&b=1#top",
        "http://user:word@example.com:8080/%2e%2e/c%20d.gif?Expires=1&Signature=a%2Bb", "file:///tmp/a%FFb.webp",
        "data:image/png;base64,AAAA", "https://[2001:db8::1]/?", "https://example.com/?a&a=&=b&&", "relative/path.png",
        "https://example.com/a.png?q=%C3%A9",
    ].compactMap { URL(string: $0) }

    /// Paths of different images, by any rule of RFC 3986.
    private static let paths = [
        "/a.png", "/b.png", "/A.png", "/a.jpg", "/x/a.png", "/x/b.png", "/x%2Fa.png", "/a%3Fb.png", "/a?b.png",
        "/a%23b.png", "/a%2541.png", "/a%41.png", "/a+b.png", "/a%20b.png", "/a%252Fb.png", "/a%3Bb.png", "/a%FF.png",
        "/a%FE.png", "/%E2%84%AA.png", "/K.png",
    ]

    private static let hostileTexts: [String] =
        [
            "", " ", "?", "#", "?#", "://", "https://", "https:///?&&&=", "http://[::1", "http://a@b@c/?x=%", "%",
            "%zz",
            "a\u{0}b?c=d\u{0}", "\u{FEFF}https://example.com/", "e\u{301}?e\u{301}=1", "\u{202E}gpj.exe", "?=&==&=?",
            "https://example.com/?" + String(repeating: "a=1&", count: 2_000),
            String(repeating: "%", count: 5_000), String(repeating: "👩‍👩‍👧‍👦", count: 300),
        ]
}

extension URL {
    /// The scheme, host and port; `nil` for a URL without a host.
    fileprivate var origin: String? {
        guard let scheme, let host = host(percentEncoded: true), !host.isEmpty else { return nil }
        return "\(scheme)://\(host)" + (port.map { ":\($0)" } ?? "")
    }
}

extension String {
    /// The text, truncated if it is long.
    var shown: String { count > 80 ? "\(prefix(80))…" : self }
}
