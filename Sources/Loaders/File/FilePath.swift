import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The path of a `file:` URL in the system's form: any bytes except 0, because file names need not be valid UTF-8.
struct FilePath: Sendable {
    /// The bytes of the path, null-terminated.
    let characters: [CChar]

    /// The path for messages.
    var description: String { String(decoding: characters.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) }

    /// Creates the path of `url`.
    ///
    /// - Throws: An error of kind `invalidURL` if the path is relative, on another machine, or contains a zero byte.
    init(_ url: URL) throws(ImageError) {
        let bytes = [UInt8](percentDecoding: try Self.encodedPath(of: url))
        guard bytes.first == UInt8(ascii: "/") else {
            throw ImageError(.invalidURL, .load, "the file URL has no absolute path")
        }
        // The system would stop reading at the zero byte and open a different file.
        guard !bytes.contains(0) else {
            throw ImageError(.invalidURL, .load, "the path of the file contains a zero byte")
        }
        var characters = [CChar]()
        characters.reserveCapacity(bytes.count + 1)
        for byte in bytes { characters.append(CChar(bitPattern: byte)) }
        characters.append(0)
        self.characters = characters
    }

    /// Returns the absolute path with its percent escapes.
    private static func encodedPath(of url: URL) throws(ImageError) -> Substring {
        let text = url.absoluteString
        // Most file URLs consist of nothing else. They are read at each hit, because the file may have changed.
        if text.startsWithBytes(of: "file:///"),
            !text.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") })
        {
            return Substring(text.utf8.dropFirst(7))
        }
        let host = url.host(percentEncoded: false) ?? ""
        guard host.isEmpty || host.equalsIgnoringASCIICase("localhost") else {
            throw ImageError(.invalidURL, .load, "the file is on another machine: \(host)")
        }
        return url.absoluteURL.path(percentEncoded: true)[...]
    }
}
