import Darkroom
import HTTPTypes
public import ServerPlatform

/// The sources that requests may name.
public struct SourcePolicy: Sendable {
    /// The rules, one of which a URL must satisfy, also after a redirect. `nil` allows any HTTP URL; then only the
    /// loader's address policy protects the internal network.
    public var rules: [SourceRule]?

    /// The buckets whose objects are served as `s3://BUCKET/KEY`; none by default.
    public var buckets: Set<String> = []

    /// The folder whose files are served as `sample/NAME`; `nil` for none.
    public var sampleFolder: URL?

    static let samplePrefix = "sample/"

    /// Creates a policy; by default, it allows any HTTP URL and has no samples.
    public init(rules: [SourceRule]? = nil, sampleFolder: URL? = nil) {
        self.rules = rules
        self.sampleFolder = sampleFolder
    }

    /// Returns whether the rules allow `url`, which may be a source or the target of a redirect.
    public func allows(_ url: URL) -> Bool {
        guard url.webScheme != nil, url.webHost != nil, url.user == nil, url.password == nil else { return false }
        return rules?.contains { $0.allows(url) } ?? true
    }

    /// The ports of the rules, explicit or the default of their scheme.
    public var ports: Set<Int> { Set(rules?.map(\.port) ?? []) }

    /// Returns the URL of `text`, as `HTTPLoader.url(from:)` reads it, if it may be loaded.
    func url(for text: String) throws(Problem) -> URL {
        if let folder = sampleFolder, text.utf8.starts(with: Self.samplePrefix.utf8) {
            return try sample(String(Substring(text.utf8.dropFirst(Self.samplePrefix.utf8.count))), in: folder)
        }
        if !buckets.isEmpty, let url = URL(string: text), url.scheme?.utf8.lowercased.elementsEqual("s3".utf8) == true {
            return try object(url)
        }
        // The rules apply to this URL, which is the one that is loaded, not to the text.
        guard let url = HTTPLoader.url(from: text), url.webScheme != nil, url.webHost != nil else {
            throw Problem(.badRequest, "the source is not an absolute http or https URL")
        }
        guard url.user == nil, url.password == nil else {
            throw Problem(.forbidden, "the source contains a user name or password")
        }
        guard allows(url) else { throw Problem(.forbidden, "the source is not allowed") }
        return url
    }

    /// Returns `url`, if it names an object in one of the buckets.
    private func object(_ url: URL) throws(Problem) -> URL {
        let path = url.path(percentEncoded: true)
        guard let bucket = url.host(percentEncoded: true), path.utf8.count > 1, CanonicalPath(url) != nil,
            url.query == nil, url.fragment == nil, url.port == nil
        else { throw Problem(.badRequest, "the source is not an s3 URL of a bucket and a key") }
        guard url.user == nil, url.password == nil else {
            throw Problem(.forbidden, "the source contains a user name or password")
        }
        guard buckets.contains(bucket) else { throw Problem(.forbidden, "the source is not allowed") }
        return url
    }

    /// Returns the URL of the sample `name`, whether or not there is one: that is found out without blocking, by the load.
    private func sample(_ name: String, in folder: URL) throws(Problem) -> URL {
        let isName =
            !name.utf8.isEmpty && name.utf8.first != UInt8(ascii: ".")
            && !name.utf8.contains { $0 < 0x20 || "/\\".utf8.contains($0) }
        guard isName else { throw .noSample }
        return folder.appending(component: name, directoryHint: .notDirectory)
    }
}
