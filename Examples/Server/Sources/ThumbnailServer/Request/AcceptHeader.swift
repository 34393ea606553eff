import Darkroom

/// The media types that an `Accept` header accepts, and their quality values (RFC 9110, section 12.5.1).
struct AcceptHeader {
    private var qualities: [String: Double] = [:]

    /// Parses `text`. Malformed items are ignored.
    init(_ text: String) {
        for item in text.utf8.split(separator: UInt8(ascii: ",")).prefix(64) {
            let parts = item.split(separator: UInt8(ascii: ";")).map(\.trimmed.lowercased)
            guard let type = parts.first, type.contains(UInt8(ascii: "/")) else { continue }
            let quality = parts.dropFirst().first { $0.starts(with: "q=".utf8) }
                .map { Double(plainDecimal: $0.dropFirst(2)) ?? 0 }
            qualities[String(decoding: type, as: UTF8.self)] = min(quality ?? 1, 1)
        }
    }

    /// Returns the quality of `type`; 0 if it is not acceptable. The most specific range counts.
    func quality(of type: String) -> Double {
        let group = Substring(type.utf8.prefix { $0 != UInt8(ascii: "/") }) + "/*"
        return qualities[type] ?? qualities[String(group)] ?? qualities["*/*"] ?? (qualities.isEmpty ? 1 : 0)
    }

    /// Returns those of AVIF and WebP among `formats` that the client names and likes at least as much as JPEG and PNG, which
    /// all clients display. The one it likes best is first, or AVIF if it likes both equally.
    func compactFormats(among formats: [ImageFormat]) -> [ImageFormat] {
        let bound = max(quality(of: "image/jpeg"), quality(of: "image/png"))
        let named = [ImageFormat.avif, .webp].filter {
            formats.contains($0) && names($0.mimeType) && quality(of: $0.mimeType) >= bound
        }
        let isReversed = quality(of: "image/webp") > quality(of: "image/avif")
        return isReversed ? named.reversed() : named
    }

    /// Returns whether `type` itself is listed and acceptable. Browsers that cannot show a type still send `*/*`.
    func names(_ type: String) -> Bool { qualities[type].map { $0 > 0 } ?? false }
}
