import ArgumentParser
import Darkroom

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// An image given on the command line: a URL, a path, or `-` for standard input.
package struct Source: Hashable, Sendable, ExpressibleByArgument {
    /// The argument as written.
    package let text: String

    /// The URL for loaders; `nil` when the text is neither a URL nor a path.
    package let url: URL?

    package init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        text = argument
        url = Self.isURL(argument) ? URL(string: argument) : Self.localURL(argument)
    }

    /// The URL.
    ///
    /// - Throws: An error of kind `invalidURL` if there is none.
    package var validURL: URL {
        get throws(ImageError) {
            guard let url else { throw ImageError(.invalidURL, .request, "the URL is invalid") }
            return url
        }
    }

    /// Whether it is `-`, which can be read only once.
    package var isStandardInput: Bool { text == "-" }

    /// The text for a terminal. It is truncated, because data URLs are long.
    package var shownText: String {
        let scalars = text.unicodeScalars
        guard !scalars.dropFirst(100).isEmpty else { return text.printable }
        return String(scalars.prefix(99)).printable + "…"
    }

    /// The last path component without its extension, suitable as a file name.
    package var stem: FileStem {
        guard !isStandardInput else { return FileStem("stdin") }
        guard let url, url.scheme?.lowercased() != "data" else { return FileStem("") }
        return FileStem(ofFileNamed: url.lastPathComponent)
    }

    private static func isURL(_ text: String) -> Bool {
        let start = String(decoding: text.utf8.prefix(5), as: UTF8.self).lowercased()
        return start == "data:" || start == "file:" || text.utf8.contains("://".utf8)
    }

    private static func localURL(_ text: String) -> URL? {
        text == "-" ? URL(string: "stdin:") : URL(filePath: text, directoryHint: .notDirectory).absoluteURL
    }
}
