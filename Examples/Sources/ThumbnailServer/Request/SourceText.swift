import Darkroom
import Foundation
import HTTPTypes

/// Where a picture is, as a path says it: a URL, escaped or not, or that in base64url.
///
/// `https%3A%2F%2Fexample.com%2Fa.jpg`, `https://example.com/a.jpg` and `aHR0cHM6Ly9leGFtcGxlLmNvbS9hLmpwZw` are the
/// same. `@webp` behind the first two and `.webp` behind the third ask for that format.
struct SourceText {
    /// The URL's text.
    let url: String

    /// The format its end asks for; `nil` when it asks for none.
    let format: ImageFormat?

    /// What `text` says.
    init(_ text: Substring) throws(Problem) {
        if text.contains(where: { [":", "%", "/"].contains($0) }) {
            guard let plain = String(text).removingPercentEncoding else {
                throw Problem(.badRequest, "the source is not UTF-8 in percent-encoding")
            }
            (url, format) = Self.parted(plain, at: "@")
        } else {
            let (encoded, format) = Self.parted(String(text), at: ".")
            guard let data = Data(base64URL: encoded), let plain = String(data: data, encoding: .utf8) else {
                throw Problem(.badRequest, "the source is neither a URL nor one in base64url")
            }
            (url, self.format) = (plain, format)
        }
    }

    /// `text` before the last `mark`, and the format behind it, if that is the name of one.
    private static func parted(_ text: String, at mark: Character) -> (String, ImageFormat?) {
        guard let end = text.lastIndex(of: mark),
            let format = ImageFormat.offered.first(where: { $0.has(name: text[text.index(after: end)...]) })
        else { return (text, nil) }
        return (String(text[..<end]), format)
    }
}

extension ImageFormat {
    /// What the server writes, the preferred first.
    static let offered: [ImageFormat] = [.webp, .jpeg, .png, .gif]

    /// Whether `name` is its extension, or `jpg`.
    func has(name: some StringProtocol) -> Bool {
        let name = name.lowercased()
        return name == fileExtension || name == "jpg" && self == .jpeg
    }
}

extension Data {
    /// The bytes of base64url (RFC 4648, section 5), with padding or without; `nil` for other text.
    init?(base64URL text: some StringProtocol) {
        guard text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_=".contains($0)) }) else { return nil }
        let plain = text.prefix { $0 != "=" }.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        self.init(base64Encoded: String(plain) + String(repeating: "=", count: (4 - plain.count % 4) % 4))
    }

    /// The bytes in base64url, without padding.
    var base64URL: String {
        String(base64EncodedString().compactMap { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 == "=" ? nil : $0 })
    }
}
