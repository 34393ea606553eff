import Crypto

/// The MD5 digest of a text. It only names things: an entry also holds its full key, which is checked.
struct MD5Digest {
    /// How many hexadecimal digits it has.
    static let digitCount = 32

    /// The first byte is the highest of the first word.
    private let words: (UInt64, UInt64)

    init(of text: String) {
        var (text, digest) = (text, Insecure.MD5())
        text.withUTF8 { unsafe digest.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        words = unsafe digest.finalize().withUnsafeBytes { bytes in
            let words = unsafe bytes.loadUnaligned(as: (UInt64, UInt64).self)
            return (words.0.bigEndian, words.1.bigEndian)
        }
    }

    /// The first three hexadecimal digits.
    var first12Bits: Int { Int(words.0 >> 52) }

    /// 32 digits in lower case, and `suffix` behind them.
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
    /// The digit in lower case at `position`, where the lowest is at 0.
    func hexadecimalDigit(_ position: Int) -> UInt8 {
        let digit = UInt8(truncatingIfNeeded: self &>> UInt64(4 &* position)) & 15
        return digit &+ (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }
}
