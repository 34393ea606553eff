import Darkroom
public import Foundation
import HTTPTypes

/// Which pictures may be asked for.
public struct SourcePolicy: Sendable {
    /// The rules of which a URL must satisfy one, also after a redirect. `nil` for any URL of HTTP: then the loader's
    /// address policy alone protects what the server can reach.
    public var rules: [SourceRule]?

    /// The folder whose files may be asked for as `sample/NAME`; `nil` for none.
    public var sampleFolder: URL?

    /// Any URL of HTTP, and no samples.
    public init(rules: [SourceRule]? = nil, sampleFolder: URL? = nil) {
        self.rules = rules
        self.sampleFolder = sampleFolder
    }

    /// Whether the rules allow `url`: that of a source, or one that an origin redirects to.
    public func allows(_ url: URL) -> Bool {
        guard url.webScheme != nil, url.webHost != nil, url.user == nil, url.password == nil else { return false }
        return rules?.contains { $0.allows(url) } ?? true
    }

    /// The ports that the rules name, or that their schemes have.
    public var ports: Set<Int> { Set(rules?.map(\.port) ?? []) }

    /// The URL of `text`, if it may be loaded.
    func url(_ text: String) throws(Problem) -> URL {
        if let folder = sampleFolder, text.utf8.starts(with: "sample/".utf8) {
            return try sample(String(Substring(text.utf8.dropFirst(7))), folder)
        }
        guard let url = URL(string: text), url.webScheme != nil, url.webHost != nil else {
            throw Problem(.badRequest, "the source is not an absolute URL of http or https")
        }
        guard url.user == nil, url.password == nil else {
            throw Problem(.forbidden, "the source holds a name or password")
        }
        guard allows(url) else { throw Problem(.forbidden, "the source is not on the list of those allowed") }
        return url
    }

    /// The names of the files in the sample folder.
    func sampleNames() -> [String] {
        guard let path = sampleFolder?.path else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { name in
            guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
            return ImageFormat(offeredName: name.utf8[dot...].dropFirst()) != nil
        }
        .sorted()
    }

    private func sample(_ name: String, _ folder: URL) throws(Problem) -> URL {
        let isName =
            !name.utf8.isEmpty && name.utf8.first != UInt8(ascii: ".")
            && !name.utf8.contains { $0 < 0x20 || "/\\".utf8.contains($0) }
        let file = folder.appending(component: name)
        guard isName, FileManager.default.fileExists(atPath: file.path) else {
            throw Problem(.notFound, "there is no sample of this name")
        }
        return file
    }
}
