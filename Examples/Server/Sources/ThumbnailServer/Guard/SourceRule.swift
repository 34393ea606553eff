import Darkroom
import ServerPlatform

/// A prefix of URLs that may be loaded, such as `https://cdn.example.com/images/`.
///
/// Scheme, host and port must match, and the path matches whole segments: `/images` allows `/images/a.jpg`, but not
/// `/images-private`. `https://*.example.com/` matches all subdomains.
public struct SourceRule: Sendable {
    private let scheme: String
    /// The host; for a wildcard, the dot and the part after it.
    private let host: String
    private let allowsSubdomains: Bool
    private let path: CanonicalPath
    /// The port, explicit or the default of the scheme.
    let port: Int

    /// Parses a rule, whose host may be international; `nil` unless it is an absolute HTTP or HTTPS URL without a query.
    public init?(_ text: String) {
        allowsSubdomains = text.utf8.starts(with: "http://*.".utf8) || text.utf8.starts(with: "https://*.".utf8)
        let plain = allowsSubdomains ? text.replacing("://*.", with: "://any.", maxReplacements: 1) : text
        guard let url = HTTPLoader.url(from: plain), let scheme = url.webScheme, let host = url.webHost,
            url.user == nil,
            url.query == nil, url.fragment == nil, let path = CanonicalPath(url), !host.utf8.contains(UInt8(ascii: "*"))
        else { return nil }
        self.scheme = scheme
        self.host = allowsSubdomains ? String(Substring(host.utf8.dropFirst(3))) : host
        self.path = path
        port = url.webPort
    }

    /// Returns whether `url` matches the rule.
    ///
    /// Its path must be unambiguous: no rule allows a path that leads elsewhere once an origin server decodes escapes,
    /// removes parameters (`..;`) or treats backslashes as slashes.
    func allows(_ url: URL) -> Bool {
        guard url.webScheme == scheme, url.webPort == port, let host = url.webHost, allowsHost(host),
            let path = CanonicalPath(url)
        else { return false }
        return path.isWithin(self.path)
    }

    private func allowsHost(_ host: String) -> Bool {
        guard allowsSubdomains else { return host == self.host }
        return host.utf8.count > self.host.utf8.count
            && host.utf8.suffix(self.host.utf8.count).elementsEqual(self.host.utf8)
    }
}

extension URL {
    /// The scheme in lower case, if it is HTTP or HTTPS.
    var webScheme: String? {
        guard let scheme = scheme?.utf8.lowercased else { return nil }
        return ["http", "https"].first { $0.utf8.elementsEqual(scheme) }
    }

    /// The host as written, in lower case; `nil` if it is empty.
    var webHost: String? {
        guard let host = host(percentEncoded: true), !host.isEmpty else { return nil }
        return String(decoding: host.utf8.lowercased, as: UTF8.self)
    }

    /// The port, or the default of the scheme.
    var webPort: Int { port ?? (webScheme == "https" ? 443 : 80) }
}
