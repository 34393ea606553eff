import CChecksum

/// The MD5 digest of a text. It only determines names; each entry also contains its full key, which is compared.
struct MD5Digest {
    /// The number of hexadecimal digits.
    static let digitCount = 32

    /// The digest in two big-endian words.
    private let words: (UInt64, UInt64)

    init(of text: String) {
        var (text, digest) = (text, (UInt64(0), UInt64(0)))
        text.withUTF8 { bytes in
            unsafe withUnsafeMutableBytes(of: &digest) {
                unsafe darkroom_md5(bytes.baseAddress, bytes.count, $0.baseAddress)
            }
        }
        words = (digest.0.bigEndian, digest.1.bigEndian)
    }

    /// The last 64 bits.
    var last64Bits: UInt64 { words.1 }

    /// The value of the first three hexadecimal digits.
    var first12Bits: Int { Int(words.0 >> 52) }

    /// Returns 32 lower-case digits followed by `suffix`.
    func hexadecimal(followedBy suffix: String) -> String {
        let suffix = suffix.utf8
        return unsafe String(unsafeUninitializedCapacity: Self.digitCount + suffix.count) { bytes in
            for index in 0..<16 {
                unsafe bytes[index] = words.0.hexadecimalDigit(15 - index)
                unsafe bytes[16 + index] = words.1.hexadecimalDigit(15 - index)
            }
            let end = unsafe UnsafeMutableBufferPointer(rebasing: bytes[Self.digitCount...])
            return unsafe Self.digitCount + end.initialize(fromContentsOf: suffix)
        }
    }
}

extension UInt64 {
    /// Returns the lower-case digit at `position`, counted from the lowest.
    func hexadecimalDigit(_ position: Int) -> UInt8 {
        let digit = UInt8(truncatingIfNeeded: self &>> UInt64(4 &* position)) & 15
        return digit &+ (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }
}
