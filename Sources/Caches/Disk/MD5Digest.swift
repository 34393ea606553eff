import Crypto

/// The MD5 digest of a text. It only names things: an entry also holds its full key, which is checked.
struct MD5Digest {
    /// How long `hexadecimal` is.
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

    /// 32 digits in lower case.
    var hexadecimal: String { words.0.hexadecimal(digitCount: 16) + words.1.hexadecimal(digitCount: 16) }

    /// The first twelve bits.
    var first12Bits: Int { Int(words.0 >> 52) }
}

extension UInt64 {
    /// The lowest `digitCount` digits in lower case, the highest first.
    func hexadecimal(digitCount: Int) -> String {
        unsafe String(unsafeUninitializedCapacity: digitCount) { bytes in
            for index in 0..<digitCount {
                let digit = UInt8(truncatingIfNeeded: self >> UInt64(4 * (digitCount - 1 - index))) & 15
                unsafe bytes[index] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
            }
            return digitCount
        }
    }
}
