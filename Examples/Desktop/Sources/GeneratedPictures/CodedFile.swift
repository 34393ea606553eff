import DarkroomCore
import FoundationEssentials

/// A file of areas of one colour, whose colours are replaced without encoding it again: a wall asks for thousands of them.
struct CodedFile {
    /// The number of the picture that the file shows at first. Its colours are those of no other bytes of the file.
    static let index = 0x0201

    private let bytes: [UInt8]
    /// Where the colours are.
    private let colors: [Int]
    /// The table of colours of a PNG file, from its type to its checksum; `nil` for a GIF file.
    private let table: Range<Int>?

    /// Creates the file from the encoded picture of ``index``.
    init(_ file: Data) {
        let bytes = Array(file)
        self.bytes = bytes
        colors = (0..<max(0, bytes.count - 2)).filter {
            bytes[$0] == 1 && bytes[$0 + 1] == 2 && GeneratedPicture.blues.contains(Int(bytes[$0 + 2]))
        }
        let start = bytes.indices.first { bytes[$0...].starts(with: "PLTE".utf8) }
        table = start.map { $0..<$0 + 4 + Int(bytes[$0 - 1]) }
    }

    /// Returns the file that shows the picture with the number `index`.
    func file(showing index: Int) -> Data {
        var bytes = bytes
        for offset in colors {
            bytes[offset] = UInt8(truncatingIfNeeded: index)
            bytes[offset + 1] = UInt8(truncatingIfNeeded: index >> 8)
        }
        if let table {
            let checksum = Self.checksum(of: bytes[table])
            for offset in 0..<4 { bytes[table.upperBound + offset] = UInt8(checksum >> (24 - 8 * offset) & 255) }
        }
        return Data(bytes)
    }

    /// Returns the checksum of a part of a PNG file.
    private static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
        ~bytes.reduce(~0) { checksum, byte in
            (0..<8).reduce(checksum ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 0 ? 0 : 0xEDB8_8320) }
        }
    }
}
