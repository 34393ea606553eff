import Crypto

/// The MD5 digest of a text. It only names things: an entry also holds its full key, which is checked.
struct MD5Digest {
    private let bytes: [UInt8]

    init(of text: String) { bytes = Array(Insecure.MD5.hash(data: Array(text.utf8))) }

    /// 32 digits in lower case.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The first twelve bits.
    var first12Bits: Int { Int(bytes[0]) << 4 | Int(bytes[1] >> 4) }
}
