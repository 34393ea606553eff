import ArgumentParser
package import Darkroom

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
        url =
            Self.isURL(argument)
            ? HTTPLoader.url(from: argument.percentEncodingSystemBytes) : Self.localURL(argument)
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

    /// The path of the folder that is given in place of an image; `nil` for any other source.
    package var folderPath: String? {
        guard let path, Folder.exists(path) else { return nil }
        return Self.isURL(text) ? path : text
    }

    /// The number of bytes of the local file; `nil` for any other source.
    package var byteCount: Int? { path.flatMap(FileDescriptor.byteCount(ofFileAt:)) }

    /// The path of a local file; `nil` for any other source.
    var path: String? {
        guard let url, url.isFileURL else { return nil }
        return String(systemBytes: url.absoluteURL.path(percentEncoded: true).percentDecodedBytes)
    }

    /// The format that the extension of the name stands for, if any.
    package var namedFormat: ImageFormat? {
        let name = url?.isFileURL == true ? path : url?.lastPathComponent
        return name?.pathExtension.flatMap(ImageFormat.init(named:))
    }

    /// The identity of the file that is read; `nil` if that is no regular file on this machine.
    package var fileIdentity: FileIdentity? {
        isStandardInput ? FileDescriptor.standardInput.identity : path.flatMap(FileIdentity.init(ofFileAt:))
    }

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
        guard url.isFileURL else { return FileStem(ofFileNamed: url.lastPathComponent.withoutSystemBytes) }
        return FileStem(ofFileNamed: path.map { String($0.fields(separatedBy: UInt8(ascii: "/")).last ?? "") } ?? "")
    }

    private static func isURL(_ text: String) -> Bool {
        let start = String(decoding: text.utf8.prefix(5), as: UTF8.self).lowercased()
        return start == "data:" || start == "file:" || text.utf8.contains("://".utf8)
    }

    private static func localURL(_ text: String) -> URL? {
        guard text != "-" else { return URL(string: "stdin:") }
        let path = text.utf8.first == UInt8(ascii: "/") ? text : "\(Folder.current)/\(text)"
        guard !path.hasSystemBytes else { return URL(string: path.fileURLText) }
        return URL(pathAsGiven: text, directoryHint: .notDirectory).absoluteURL
    }
}
