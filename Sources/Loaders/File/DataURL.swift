import DarkroomCore
import DarkroomPlatform

/// A data URL, parsed but not decoded.
struct DataURL {
    private let text: Substring
    private let isBase64: Bool

    init(_ url: String) throws(ImageError) {
        let content = url.utf8.prefix { $0 != UInt8(ascii: "#") }.drop { $0 != UInt8(ascii: ":") }.dropFirst()
        guard let comma = content.firstIndex(of: UInt8(ascii: ",")) else {
            throw ImageError(.invalidURL, .load, "the data URL has no comma before its data")
        }
        text = Substring(content[comma...].dropFirst())
        // Whatever parameters the media type has, `base64` is the last one.
        let parameters = Substring(content[..<comma]).fields(separatedBy: UInt8(ascii: ";")).dropFirst()
        // Spaces in front of it, which a URL contains only as escapes, do not count.
        isBase64 = parameters.last?.withoutLeadingSpaces.mediaType == "base64"
    }

    /// Returns the decoded bytes.
    ///
    /// - Throws: An error of kind `overLimit` if there are more than `byteLimit`.
    func data(byteLimit: Int) throws(ImageError) -> Data {
        var bytes = [UInt8](percentDecoding: text)
        guard isBase64 else {
            try Self.check(bytes.count, byteLimit: byteLimit)
            return Data(bytes)
        }
        // As lenient as browsers: white space is skipped, and padding may be missing.
        let padding = UInt8(ascii: "=")
        bytes.removeAll { " \t\n\r\u{C}".utf8.contains($0) }
        bytes.removeLast(bytes.suffix(2).reversed().prefix { $0 == padding }.count)
        try Self.check(bytes.count / 4 * 3 + bytes.count % 4 * 3 / 4, byteLimit: byteLimit)
        let isPadded = bytes.contains(padding)
        bytes += [UInt8](repeating: padding, count: (4 - bytes.count % 4) % 4)
        // Foundation would treat padding in the middle as the end.
        guard !isPadded, let data = Data(base64Encoded: Data(bytes)) else {
            throw ImageError(.corrupt, .load, "the data URL is not valid base64")
        }
        return data
    }

    private static func check(_ byteCount: Int, byteLimit: Int) throws(ImageError) {
        guard byteCount <= byteLimit else {
            throw .overLimit("encodedByteCount", value: byteCount, bound: byteLimit, stage: .load)
        }
    }
}

extension Substring {
    fileprivate var withoutLeadingSpaces: Substring {
        var rest = self
        while rest.startsWithBytes(of: "%20") { rest = Substring(rest.utf8.dropFirst(3)) }
        return rest
    }
}
