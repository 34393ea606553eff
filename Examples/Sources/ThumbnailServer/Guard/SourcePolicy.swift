import Darkroom
public import Foundation
import HTTPTypes

/// Which pictures may be asked for.
public struct SourcePolicy: Sendable {
    /// What a URL must begin with, such as `https://cdn.example.com/`, or `https://*.example.com/` for all hosts below
    /// one. `nil` for any URL of HTTP: then the loader's address policy alone protects what the server can reach.
    public var prefixes: [String]?

    /// The folder whose files may be asked for as `sample/NAME`; `nil` for none.
    public var sampleFolder: URL?

    /// Any URL of HTTP, and no samples.
    public init(prefixes: [String]? = nil, sampleFolder: URL? = nil) {
        self.prefixes = prefixes
        self.sampleFolder = sampleFolder
    }

    /// The URL of `text`, if it may be loaded.
    func url(_ text: String) throws(Problem) -> URL {
        if let folder = sampleFolder, text.hasPrefix("sample/") { return try sample(text.dropFirst(7), folder) }
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
            let host = url.host(), !host.isEmpty
        else { throw Problem(.badRequest, "the source is not an absolute URL of http or https") }
        guard url.user == nil, url.password == nil else {
            throw Problem(.forbidden, "the source holds a name or password")
        }
        guard prefixes?.contains(where: { Self.matches(url, $0) }) ?? true else {
            throw Problem(.forbidden, "the source is not on the list of those allowed")
        }
        return url
    }

    /// The names of the files in the sample folder.
    func sampleNames() -> [String] {
        guard let path = sampleFolder?.path else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { name in
            ImageFormat.offered.contains { $0.has(name: name.split(separator: ".").last ?? "") }
        }
        .sorted()
    }

    private func sample(_ name: Substring, _ folder: URL) throws(Problem) -> URL {
        let isName = !name.isEmpty && !name.hasPrefix(".") && !name.contains { $0 == "/" || $0 == "\\" || $0 == "\0" }
        let file = folder.appending(component: String(name))
        guard isName, FileManager.default.fileExists(atPath: file.path) else {
            throw Problem(.notFound, "there is no such sample")
        }
        return file
    }

    /// Whether `url` begins with `prefix` where a path's part ends, so that neither `cdn.example.com.evil.org` nor
    /// `/pictures-private` gets through.
    private static func matches(_ url: URL, _ prefix: String) -> Bool {
        guard let rule = URL(string: prefix.replacing("://*.", with: "://any.", maxReplacements: 1)),
            rule.scheme?.lowercased() == url.scheme?.lowercased(), rule.effectivePort == url.effectivePort,
            let host = url.host()?.lowercased(), let ruleHost = rule.host()?.lowercased()
        else { return false }
        let isBelow =
            prefix.contains("://*.") && host.hasSuffix(ruleHost.dropFirst(3)) && host.count >= ruleHost.count - 2
        guard isBelow || host == ruleHost, !url.path.split(separator: "/").contains("..") else { return false }
        let path = rule.path
        return path.isEmpty || url.path == path || url.path.hasPrefix(path.hasSuffix("/") ? path : path + "/")
    }
}

extension URL {
    fileprivate var effectivePort: Int { port ?? (scheme?.lowercased() == "https" ? 443 : 80) }
}
