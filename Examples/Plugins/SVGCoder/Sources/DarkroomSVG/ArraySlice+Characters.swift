extension ArraySlice<UInt8> {
    /// Returns the text with characters in place of the references to them.
    ///
    /// In the value of an attribute, tabs and line ends become spaces, as in every parser of XML.
    func withoutReferences(isAttribute: Bool) -> [UInt8] {
        var (output, rest) = ([UInt8](), self)
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "&"):
                let name = rest.prefix { $0.isNameByte || $0 == UInt8(ascii: "#") }
                let isClosed = rest[name.endIndex...].first == UInt8(ascii: ";")
                guard isClosed, let character = Self.character(named: name) else {
                    output.append(byte)
                    continue
                }
                output += character
                rest = rest[(name.endIndex + 1)...]
            case UInt8(ascii: "\r") where isAttribute && rest.first == UInt8(ascii: "\n"): continue
            default: output.append(isAttribute && byte.isSpace ? UInt8(ascii: " ") : byte)
            }
        }
        return output
    }

    private static func character(named name: ArraySlice<UInt8>) -> [UInt8]? {
        switch String(decoding: name, as: UTF8.self) {
        case "amp": return Array("&".utf8)
        case "lt": return Array("<".utf8)
        case "gt": return Array(">".utf8)
        case "quot": return Array("\"".utf8)
        case "apos": return Array("'".utf8)
        default:
            guard name.first == UInt8(ascii: "#") else { return nil }
            let isHexadecimal = name.dropFirst().first == UInt8(ascii: "x")
            let digits = String(decoding: name.dropFirst(isHexadecimal ? 2 : 1), as: UTF8.self)
            guard let number = UInt32(digits, radix: isHexadecimal ? 16 : 10), let scalar = Unicode.Scalar(number)
            else { return nil }
            return Array(String(scalar).utf8)
        }
    }
}

extension Sequence<UInt8> {
    /// Whether the text is a URL that contains a document.
    ///
    /// As in every parser of URLs, spaces and control characters before the scheme, and tabs and line ends within it, do
    /// not count.
    var isDataURL: Bool { folded.starts(with: "data:".utf8) }

    /// The text in lower case, without spaces and control characters.
    var folded: some Sequence<UInt8> {
        self.lazy.filter { $0 > UInt8(ascii: " ") }.map { (65...90).contains($0) ? $0 | 0x20 : $0 }
    }
}

extension UInt8 {
    /// Whether the byte is white space of XML, and of CSS in XML.
    var isSpace: Bool {
        switch self {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
        default: false
        }
    }

    /// Whether the byte may be part of a name in CSS, where every character beyond ASCII may be.
    var isNameByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), 0x80...0xFF:
            true
        default: false
        }
    }
}
