public import Darkroom
import HTTPTypes
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
            let format = ImageFormat(offeredName: text.utf8[end...].dropFirst())
        else { return (text, nil) }
        return (String(Substring(text.utf8[..<end])), format)
    }
}

extension ImageFormat {
    /// The formats that the server can read and write, in order of preference.
    public static let offered: [ImageFormat] = [.webp, .jpeg, .png, .gif]

    /// Creates the offered format with the extension `name`, or `jpg`, in any letter case.
    init?(offeredName name: some Sequence<UInt8>) {
        let name = String(decoding: name.lowercased, as: UTF8.self)
        guard let format = Self.offered.first(where: { name == $0.fileExtension || name == "jpg" && $0 == .jpeg })
        else { return nil }
        self = format
    }
}
