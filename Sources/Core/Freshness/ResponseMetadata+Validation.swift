import DarkroomPlatform

// Revalidating stored responses.
extension ResponseMetadata {
    /// The fields that belong to one connection and are not stored (RFC 9111, section 3.1).
    private static let connectionFields: Set = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// The fields that describe a body. A 304 has none (section 3.2).
    private static let bodyFields: Set = ["content-encoding", "content-length", "content-range", "content-type"]

    /// The metadata without the fields that must not be stored.
    var storable: ResponseMetadata {
        let excluded = unstorableFields
        var storable = self
        storable.headers = headers.filter { !excluded.contains($0.key) }
        return storable
    }

    /// The lowercase names of the fields that must not be stored.
    fileprivate var unstorableFields: Set<String> {
        let named = headers["connection"]?.listMembers ?? []
        return Self.connectionFields.union(named).union(CacheControl(of: headers).unstorableFields)
    }

    /// Returns the metadata updated by a 304 with `newer`, whose URL and fields replace the stored ones (section 3.2).
    func updated(by newer: ResponseMetadata?) -> ResponseMetadata {
        guard let newer else { return self }
        var updated = self
        let fields = newer.storable.headers.filter { !Self.bodyFields.contains($0.key) }
        // These describe the previous message.
        for name in ["age", "date"] { updated.headers[name] = nil }
        updated.headers.merge(fields) { _, new in new }
        updated.url = newer.url
        return updated
    }

    /// Returns whether a 304 with `newer` selects this response, so that it may be reused (section 4.3.4).
    ///
    /// The request has validated only one response, so a 304 without validators selects that one. The exception is a
    /// 304 from another URL, after a changed redirect: its image may have the same date or weak tag by coincidence. A
    /// strong tag is taken to be unique.
    func isConfirmed(by newer: ResponseMetadata?) -> Bool {
        guard let newer else { return true }
        guard newer.url.absoluteString.hasBytes(of: url.absoluteString) else {
            guard let tag = newer.headers["etag"], let own = headers["etag"] else { return false }
            return !tag.isWeakTag && tag.hasBytes(of: own)
        }
        if let tag = newer.headers["etag"] {
            guard let own = headers["etag"] else { return false }
            return tag.isWeakTag ? tag.opaqueTag.hasBytes(of: own.opaqueTag) : tag.hasBytes(of: own)
        }
        guard headers["etag"] == nil, let own = headers["last-modified"], let modified = newer.headers["last-modified"]
        else { return true }
        return own.hasBytes(of: modified)
    }

    /// The metadata with which to revalidate for a request whose header fields differ from those of this response;
    /// `nil` if that is impossible.
    ///
    /// Two variants of a source may have changed in the same second or share a weak tag. Only a strong tag identifies
    /// one of them.
    var forOtherFields: ResponseMetadata? {
        guard let tag = headers["etag"], !tag.isWeakTag else { return nil }
        var metadata = self
        metadata.headers["last-modified"] = nil
        return metadata
    }

    /// Returns the number of seconds at `now` since the origin server has generated the response, or confirmed it, which
    /// this cache learned at `confirmedAt` (section 4.2.3).
    func age(confirmedAt: Date, at now: Date) -> Double {
        let declared = headers["age"].flatMap(CacheControl.age) ?? 0
        let date = headers["date"].flatMap { Date(httpDate: $0, receivedAt: confirmedAt) } ?? confirmedAt
        return max(declared, confirmedAt.timeIntervalSince(date)) + max(0, now.timeIntervalSince(confirmedAt))
    }

    /// Whether the response has a complete image, so that it may be stored. Other successful statuses mean something
    /// else, and an unknown one counts as a 200 if the origin server says how long the response is fresh (RFC 9110,
    /// section 15; RFC 9111, section 3).
    var isCompleteImage: Bool {
        status == 200 || status == 203 || Self.unknownSuccesses.contains(status) && hasExplicitFreshness
    }

    /// The statuses of success that IANA's registry does not list.
    private static let unknownSuccesses = Set(209...299).subtracting([226])

    private var hasExplicitFreshness: Bool { CacheControl(of: headers).has("max-age") || headers["expires"] != nil }
}

extension LoadResponse {
    /// The values of the `Set-Cookie` fields, unless the response forbids to store them.
    var storableCookies: [String] {
        guard !setCookies.isEmpty, metadata?.unstorableFields.contains("set-cookie") != true else { return [] }
        return setCookies
    }
}

extension String {
    fileprivate var isWeakTag: Bool { startsWithBytes(of: "W/") }

    fileprivate var opaqueTag: Substring { isWeakTag ? Substring(utf8.dropFirst(2)) : self[...] }
}
