public import Darkroom
import HTTPTypes
import InstalledCoders
import ServerPlatform

/// The last component of a path, which names the source: a URL, escaped or not, or in base64url.
///
/// `https%3A%2F%2Fexample.com%2Fa.jpg`, `https://example.com/a.jpg` and `aHR0cHM6Ly9leGFtcGxlLmNvbS9hLmpwZw` are
/// equivalent. A suffix `@webp` on the first two and `.webp` on the third requests that format.
struct SourceComponent {
    /// The text of the URL.
    let url: String

    /// The format of the suffix; `nil` without a suffix.
    let format: ImageFormat?

    /// Parses `text`.
    init(_ text: Substring) throws(Problem) {
        if text.utf8.contains(where: { ":%/".utf8.contains($0) }) {
            guard let plain = String(text).withoutPercentEscapes else {
                throw Problem(.badRequest, "the source is not percent-encoded UTF-8")
            }
            (url, format) = Self.split(plain, at: UInt8(ascii: "@"))
        } else {
            let (encoded, format) = Self.split(String(text), at: UInt8(ascii: "."))
            guard let data = Data(base64URL: encoded.utf8), let plain = String(data: data, encoding: .utf8) else {
                throw Problem(.badRequest, "the source is neither a URL nor a URL in base64url")
            }
            (url, self.format) = (plain, format)
        }
    }

    /// Returns `text` before the last `separator`, and the format named after it; all of `text` if no format is.
    private static func split(_ text: String, at separator: UInt8) -> (String, ImageFormat?) {
        guard let end = text.utf8.lastIndex(of: separator),
            let format = ImageFormat(name: text.utf8[end...].dropFirst(), among: ImageFormat.written)
        else { return (text, nil) }
        return (String(Substring(text.utf8[..<end])), format)
    }
}

extension ImageFormat {
    /// The formats that the installed coders read, in order of preference.
    public static let offered: [ImageFormat] = {
        let installed = InstalledCoders.registry.coders.flatMap(\.formats)
        let preferred: [ImageFormat] = [.avif, .webp, .jpeg, .png, .gif]
        return preferred.filter(installed.contains) + installed.filter { !preferred.contains($0) }
    }()

    /// The formats that the installed coders also write, in the same order.
    static let written: [ImageFormat] = {
        let coders = InstalledCoders.registry
        return offered.filter { coders.encoder(for: $0) != nil }
    }()

    /// Creates the one of `formats` with the extension `name`, or `jpg`, in any letter case.
    init?(name: some Sequence<UInt8>, among formats: [ImageFormat]) {
        let name = String(decoding: name.lowercased, as: UTF8.self)
        guard let format = formats.first(where: { name == $0.fileExtension || name == "jpg" && $0 == .jpeg })
        else { return nil }
        self = format
    }
}
