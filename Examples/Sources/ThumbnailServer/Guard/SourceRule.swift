import Foundation

/// The beginning of URLs that may be loaded, such as `https://cdn.example.com/pictures/`.
///
/// Scheme, host and port must be the same, and a path ends at a slash: `/pictures` allows `/pictures/a.jpg`, and not
/// `/pictures-private`. `https://*.example.com/` stands for all hosts below one.
public struct SourceRule: Sendable {
    private let scheme: String
    /// The host; after a star, the dot and what follows it.
    private let host: String
    private let allowsHostsBelow: Bool
    private let path: CanonicalPath
    /// The port that the rule names, or its scheme's own.
    let port: Int

    /// The rule that `text` is; `nil` unless it is an absolute URL of http or https without a query.
    public init?(_ text: String) {
        allowsHostsBelow = text.utf8.starts(with: "http://*.".utf8) || text.utf8.starts(with: "https://*.".utf8)
        let plain = allowsHostsBelow ? text.replacing("://*.", with: "://any.", maxReplacements: 1) : text
        guard let url = URL(string: plain), let scheme = url.webScheme, let host = url.webHost, url.user == nil,
            url.query == nil, url.fragment == nil, let path = CanonicalPath(url), !host.utf8.contains(UInt8(ascii: "*"))
        else { return nil }
        self.scheme = scheme
        self.host = allowsHostsBelow ? String(Substring(host.utf8.dropFirst(3))) : host
        self.path = path
        port = url.webPort
    }

    /// Whether `url` begins so.
    ///
    /// Its path must have one meaning: one that leads elsewhere once an origin undoes its escapes, drops parameters
    /// (`..;`) or takes backslashes for slashes is under no rule.
    func allows(_ url: URL) -> Bool {
        guard url.webScheme == scheme, url.webPort == port, let host = url.webHost, allowsHost(host),
            let path = CanonicalPath(url)
        else { return false }
        return path.isAt(or: self.path)
    }

    private func allowsHost(_ host: String) -> Bool {
        guard allowsHostsBelow else { return host == self.host }
        return host.utf8.count > self.host.utf8.count
            && host.utf8.suffix(self.host.utf8.count).elementsEqual(self.host.utf8)
    }
}

extension URL {
    /// The scheme in lower case, if it is http or https.
    var webScheme: String? {
        guard let scheme = scheme?.utf8.lowercased else { return nil }
        return ["http", "https"].first { $0.utf8.elementsEqual(scheme) }
    }

    /// The host in lower case, as it stands in the URL; `nil` for an empty one.
    var webHost: String? {
        guard let host = host(percentEncoded: true), !host.isEmpty else { return nil }
        return String(decoding: host.utf8.lowercased, as: UTF8.self)
    }

    /// The port, or that of the scheme.
    var webPort: Int { port ?? (webScheme == "https" ? 443 : 80) }
}
