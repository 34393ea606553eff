import CChecksum
import DarkroomTestKit
import FoundationEssentials
import Testing

@testable import DarkroomCaches

@Suite struct ChecksumTests {
    /// The vectors of RFC 3720, B.4, and the usual check value.
    static let vectors: [([UInt8], UInt32)] = [
        (Array(repeating: 0, count: 32), 0x8A91_36AA),
        (Array(repeating: 0xFF, count: 32), 0x62A8_AB43),
        (Array(0..<32), 0x46DD_794E),
        (Array((0..<32).reversed()), 0x113F_DB5C),
        (Array("123456789".utf8), 0xE306_9283),
        ([], 0),
    ]

    @Test(arguments: vectors)
    func knownVectorsMatch(_ bytes: [UInt8], _ expected: UInt32) {
        #expect(Checksum(of: Data(bytes)).value == expected)
    }

    @Test(arguments: [0, 1, 7, 8, 63, 511, 512, 1535, 1536, 1537, 3072, 5000, 20_000])
    func instructionsAndTableAgreeAtEveryAlignment(_ count: Int) {
        var random = SeededGenerator(seed: count)
        let data = random.bytes(count + 8)
        for start in 0..<8 {
            let part = data[start..<(start + count)]
            let portable = unsafe part.withUnsafeBytes { unsafe darkroom_crc32c_portable(0, $0.baseAddress, $0.count) }
            #expect(Checksum(of: part).value == portable)
        }
    }

    @Test(arguments: [0, 1, 100, 1536, 2999, 3000])
    func checksumsCanBeContinued(_ split: Int) {
        var random = SeededGenerator(seed: 1)
        let data = random.bytes(3000)
        let first = Checksum(of: data.prefix(split))
        #expect(Checksum(of: data.dropFirst(split), following: first).value == Checksum(of: data).value)
    }
}
