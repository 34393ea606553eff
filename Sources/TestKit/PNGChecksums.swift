/// Recomputes the checksums of a PNG's chunks, so that decoders do not reject mutated chunks because of them.
package struct PNGChecksums {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    static func mend(_ bytes: inout [UInt8]) {
        let places = FileParts(bytes).boundaries
        for (start, end) in zip(places, places.dropFirst()) where end - start >= 12 {
            let checksum = checksum(of: bytes[(start + 4)..<(end - 4)])
            for place in 0..<4 { bytes[end - 4 + place] = UInt8(truncatingIfNeeded: checksum >> (24 - 8 * place)) }
        }
    }

    /// Returns the checksum of a chunk's name and body: CRC-32, continued from that of what precedes them.
    package static func checksum(of bytes: some Sequence<UInt8>, after start: UInt32 = 0) -> UInt32 {
        ~bytes.reduce(~start) { sum, byte in table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8 }
    }
}
