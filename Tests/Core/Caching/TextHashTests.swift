import Testing

@testable import DarkroomCore

struct TextHashTests {
    private func hash(_ texts: String...) -> UInt64 {
        var hash = TextHash()
        for text in texts { hash.add(text) }
        return hash.value
    }

    @Test func equalTextsHaveEqualHashes() {
        for count in 0..<70 {
            let text = String(repeating: "x", count: count)
            #expect(hash(text) == hash(String(text.utf8.map { Character(UnicodeScalar($0)) })))
        }
    }

    @Test func everyByteAffectsTheHash() {
        for count in 1..<70 {
            let bytes = [UInt8](repeating: 65, count: count)
            let all = Set(
                (0..<count).map { changed -> UInt64 in
                    var bytes = bytes
                    bytes[changed] = 66
                    return hash(String(decoding: bytes, as: UTF8.self))
                })
            #expect(all.count == count)
            #expect(!all.contains(hash(String(decoding: bytes, as: UTF8.self))))
        }
    }

    @Test func endOfATextAffectsTheHash() {
        #expect(hash("ab", "c") != hash("a", "bc"))
        #expect(hash("ab", "") != hash("ab"))
        #expect(hash("\0") != hash("\0\0"))
        #expect(hash("") != hash("\0"))
    }

    @Test func manyKeysSpreadOverTheLowAndTheHighBits() {
        let hashes = (0..<4096).map { hash("https://example.com/photo-\($0).jpg") }
        #expect(Set(hashes).count == 4096)
        // 4096 balls in 4096 boxes leave about 63 % of them used.
        #expect(Set(hashes.map { $0 & 4095 }).count > 2400)
        #expect(Set(hashes.map { $0 >> 52 }).count > 2400)
    }
}
