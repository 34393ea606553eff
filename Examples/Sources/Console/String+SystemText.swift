extension Unicode.Scalar {
    /// The byte that the scalar stands for in text made by `init(systemBytes:)`; `nil` for any other scalar.
    package var systemByte: UInt8? { (0x10FE80...0x10FEFF).contains(value) ? UInt8(truncatingIfNeeded: value) : nil }
}

/// The names of files and the arguments of programs, which need not be valid UTF-8.
extension String {
    /// Creates the text of a name.
    ///
    /// A byte that is not part of valid UTF-8 becomes one of 128 private-use scalars, so that the text still refers to
    /// the same file.
    package init(systemBytes bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        if let text = String(validating: bytes, as: UTF8.self), !text.hasSystemBytes {
            self = text
            return
        }
        var (text, rest) = (String.UnicodeScalarView(), bytes[...])
        while let first = rest.first {
            let part = rest.prefix(first.sequenceLength)
            // These scalars stand for single bytes, even if the name contains them.
            if let scalars = String(validating: part, as: UTF8.self)?.unicodeScalars, scalars.first?.systemByte == nil {
                text += scalars
                rest = rest.dropFirst(part.count)
            } else {
                text.append(Unicode.Scalar(0x10FE00 + UInt32(first)) ?? "\u{FFFD}")
                rest = rest.dropFirst()
            }
        }
        self = String(text)
    }

    /// Whether the text stands for bytes that are not valid UTF-8.
    package var hasSystemBytes: Bool {
        // All of these scalars begin with this byte, which is rarely part of others. Data URLs have millions of bytes.
        utf8.contains(0xF4) && unicodeScalars.contains { $0.systemByte != nil }
    }

    /// The bytes that the text stands for.
    package var systemBytes: [UInt8] {
        guard hasSystemBytes else { return Array(utf8) }
        return unicodeScalars.flatMap { scalar in
            scalar.systemByte.map { [$0] } ?? Array(UTF8.encode(scalar) ?? .init())
        }
    }

    /// The null-terminated bytes for the system's functions.
    package var systemPath: [CChar] { systemBytes.map { CChar(bitPattern: $0) } + [0] }

    /// The text without them.
    var withoutSystemBytes: String { String(String.UnicodeScalarView(unicodeScalars.filter { $0.systemByte == nil })) }

    /// The bytes of percent-encoded text. A `%` that starts no valid escape is kept.
    var percentDecodedBytes: [UInt8] {
        var (bytes, rest) = ([UInt8](), Array(utf8)[...])
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2,
                digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// The text with those bytes percent-encoded, as in a URL.
    package var percentEncodingSystemBytes: String {
        guard hasSystemBytes else { return self }
        return unicodeScalars.map { $0.systemByte.map(Self.percentEncoded) ?? String($0) }.joined()
    }

    /// The text of an absolute path as a `file:` URL.
    var fileURLText: String {
        "file://"
            + systemBytes.map { byte in
                Self.plainPathBytes.contains(byte) ? String(Unicode.Scalar(byte)) : Self.percentEncoded(byte)
            }.joined()
    }

    private static let plainPathBytes = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)

    private static func percentEncoded(_ byte: UInt8) -> String {
        "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}

extension UInt8 {
    /// The length of the UTF-8 sequence that starts with the byte; 1 if none does.
    fileprivate var sequenceLength: Int {
        switch self {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }
}
