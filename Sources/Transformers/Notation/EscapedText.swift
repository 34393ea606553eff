import DarkroomCore

extension String {
    /// The text with everything percent-encoded except letters, digits and `-._~`, which have no special meaning in
    /// lists, URLs and shells.
    var escaped: String {
        var bytes: [UInt8] = []
        for byte in utf8 {
            if byte.isUnreserved { bytes.append(byte) } else { bytes.appendPercentEscape(of: byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes the percent escapes of `text`.
    ///
    /// - Throws: An error for a `%` that does not begin an escape, and for bytes that are not UTF-8.
    init(unescaping text: Substring.UTF8View) throws(ImageError) {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexDigitValue, let low = rest.popFirst()?.hexDigitValue else {
                throw ImageError(
                    .unsupported, .request,
                    "the % in \(Substring(text).quoted) does not begin an escape; write %25 for a literal %")
            }
            bytes.append(high << 4 | low)
        }
        guard let string = String(validating: bytes, as: UTF8.self) else {
            throw ImageError(
                .unsupported, .request, "the escapes in \(Substring(text).quoted) are not UTF-8")
        }
        self = string
    }
}

extension StringProtocol {
    /// The text in quotation marks for a message: shortened when it is long, and without characters that could disturb
    /// a terminal or a log.
    var quoted: String {
        let limit = 40
        let shown = unicodeScalars.prefix(limit).map {
            $0.isHarmless ? String($0) : "\\u{\(String($0.value, radix: 16))}"
        }
        return "\"" + shown.joined() + (unicodeScalars.dropFirst(limit).isEmpty ? "" : "…") + "\""
    }
}

extension UInt8 {
    fileprivate var isUnreserved: Bool { isASCIIAlphanumeric || "-._~".utf8.contains(self) }
}

extension Unicode.Scalar {
    fileprivate var isHarmless: Bool { (" "..."~").contains(self) || properties.isAlphabetic }
}
