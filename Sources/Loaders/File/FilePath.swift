import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The path of a `file:` URL as the system wants it: any bytes but 0, for names need not be text.
struct FilePath: Sendable {
    /// The bytes, and a 0 after them.
    let characters: [CChar]

    /// The path for people.
    let description: String

    /// The path of `url`, or an error of kind `invalidURL`: relative, on another machine, or with a 0 in it.
    init(_ url: URL) throws(ImageError) {
        let host = url.host(percentEncoded: false) ?? ""
        guard host.isEmpty || host.asciiLowercased == "localhost" else {
            throw ImageError(.invalidURL, .load, "the file is on another machine, \(host)")
        }
        let bytes = [UInt8](percentDecoding: url.absoluteURL.path(percentEncoded: true))
        guard bytes.first == UInt8(ascii: "/") else {
            throw ImageError(.invalidURL, .load, "the file URL has no absolute path")
        }
        // The system would stop reading there, and open another file than the one that is named.
        guard !bytes.contains(0) else {
            throw ImageError(.invalidURL, .load, "the path of the file contains a zero byte")
        }
        characters = bytes.map { CChar(bitPattern: $0) } + [0]
        description = String(decoding: bytes, as: UTF8.self)
    }
}
