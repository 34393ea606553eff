#if HTTP
    /// Content encodings of bodies, written without a compressor.
    enum ContentCoding: String, CaseIterable, Sendable {
        case gzip, xGzip = "x-gzip", deflate, rawDeflate

        /// The value of `Content-Encoding`.
        var name: String { self == .rawDeflate ? "deflate" : rawValue }

        /// Returns `body` in one block that is not compressed.
        func encoded(_ body: [UInt8]) -> [UInt8] {
            let count = [UInt8(body.count & 0xFF), UInt8(body.count >> 8 & 0xFF)]
            let block = [1] + count + count.map { ~$0 } + body
            return switch self {
            case .gzip, .xGzip:
                Self.gzipHead + block + Self.littleEndian(Self.crc32(body)) + Self.littleEndian(UInt32(body.count))
            case .deflate: [0x78, 0x01] + block + Self.littleEndian(Self.adler32(body)).reversed()
            case .rawDeflate: block
            }
        }

        /// Returns about `byteCount` zeros, in a 158th of the bytes, whose checksum is missing.
        func bomb(_ byteCount: Int) -> [UInt8] {
            var bits = BitWriter()
            // The last block, with fixed codes: a zero, and copies of it of 258 bytes each.
            bits.write([1, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0])
            for _ in 0..<byteCount / 258 { bits.write([1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0]) }
            bits.write([0, 0, 0, 0, 0, 0, 0])
            return switch self {
            case .gzip, .xGzip: Self.gzipHead + bits.bytes
            case .deflate: [0x78, 0x01] + bits.bytes
            case .rawDeflate: bits.bytes
            }
        }

        private static let gzipHead: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]

        private static func littleEndian(_ number: UInt32) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }

        private static func crc32(_ bytes: [UInt8]) -> UInt32 {
            ~bytes.reduce(~0) { sum, byte in
                (0..<8).reduce(sum ^ UInt32(byte)) { rest, _ in rest >> 1 ^ (rest & 1) * 0xEDB8_8320 }
            }
        }

        private static func adler32(_ bytes: [UInt8]) -> UInt32 {
            var (low, high) = (UInt32(1), UInt32(0))
            for byte in bytes {
                low = (low + UInt32(byte)) % 65_521
                high = (high + low) % 65_521
            }
            return high << 16 | low
        }
    }

    /// Writes bits, the lowest ones of a byte first.
    private struct BitWriter {
        var bytes: [UInt8] = []
        private var count = 0

        mutating func write(_ bits: [UInt8]) {
            for bit in bits {
                if count % 8 == 0 { bytes.append(0) }
                bytes[bytes.count - 1] |= bit << (count % 8)
                count += 1
            }
        }
    }
#endif
