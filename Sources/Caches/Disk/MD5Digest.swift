import Crypto

/// The MD5 digest of a text. It only names things: an entry also holds its full key, which is checked.
struct MD5Digest {
    private let bytes: [UInt8]

    init(of text: String) { bytes = Array(Insecure.MD5.hash(data: Array(text.utf8))) }

    /// 32 digits in lower case.
    var hexadecimal: String {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            digits.append(Self.digit(byte >> 4))
            digits.append(Self.digit(byte & 15))
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// The first twelve bits.
    var first12Bits: Int { Int(bytes[0]) << 4 | Int(bytes[1] >> 4) }

    private static func digit(_ value: UInt8) -> UInt8 {
        value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }
}
