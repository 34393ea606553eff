#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// How a stored response is asked about, and what the answer changes of it.
extension ResponseMetadata {
    /// Fields that belong to one connection, and are not kept (RFC 9111, section 3.1).
    private static let fieldsOfConnections: Set = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// Fields about a body; a 304 has none (section 3.2).
    private static let fieldsOfBodies: Set = ["content-encoding", "content-length", "content-range", "content-type"]

    /// What is kept of it.
    var storable: ResponseMetadata {
        let named = headers["connection"]?.listMembers ?? []
        let left = Self.fieldsOfConnections.union(named).union(CacheControl(of: headers).fieldsNotToKeep)
        var storable = self
        storable.headers = headers.filter { !left.contains($0.key) }
        return storable
    }

    /// The metadata after a 304 with `newer`: its URL and its fields replace ours (section 3.2).
    func updated(by newer: ResponseMetadata?) -> ResponseMetadata {
        guard let newer else { return self }
        var updated = self
        let fields = newer.storable.headers.filter { !Self.fieldsOfBodies.contains($0.key) }
        // These are about the message that came before.
        for name in ["age", "date"] { updated.headers[name] = nil }
        updated.headers.merge(fields) { _, new in new }
        updated.url = newer.url
        return updated
    }

    /// Whether a 304 with `newer` speaks of this response, so that it may be used again (section 4.3.4).
    ///
    /// Only one response was asked about, so a 304 without validators means that one; but not when redirects now lead to
    /// another URL, whose picture may have the date or the weak tag of this one. A strong tag is taken for the name of one.
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

    /// What may be asked about for a request that would send other fields than those this one came for.
    ///
    /// Two variants of a source may have changed at the same second, or share a weak tag; a strong one names one of them.
    var forOtherFields: ResponseMetadata? {
        guard let tag = headers["etag"], !tag.isWeakTag else { return nil }
        var metadata = self
        metadata.headers["last-modified"] = nil
        return metadata
    }

    /// Whether it has all bytes of a picture, so that it may be kept. Other successes tell of something else.
    var isWholePicture: Bool { status == 200 || status == 203 }
}

extension String {
    fileprivate var isWeakTag: Bool { startsWithBytes(of: "W/") }

    fileprivate var opaqueTag: Substring { isWeakTag ? Substring(utf8.dropFirst(2)) : self[...] }
}
