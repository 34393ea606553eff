import FoundationEssentials

extension Data {
    /// Returns a segment: `marker`, the length, and `body`.
    static func segment(_ marker: UInt8, _ body: Data) -> Data {
        let count = body.count + 2
        return [0xFF, marker, UInt8(count >> 8), UInt8(count & 255)] + body
    }

    /// Returns part `number` of an ICC profile.
    static func profilePart(_ number: UInt8, of count: UInt8, _ text: String) -> Data {
        .segment(0xE2, Data("ICC_PROFILE\0".utf8) + [number, count] + Data(text.utf8))
    }

    /// Returns a file of `segments` and a scan without data.
    static func file(_ segments: [Data]) -> Data { Data([0xFF, 0xD8]) + segments.joined() + Data([0xFF, 0xDA]) }

    /// Returns this file with `bytes` inserted before the first `marker`.
    func inserting(_ bytes: Data, before marker: UInt8) -> Data {
        let start = firstRange(of: Data([0xFF, marker]))!.lowerBound
        return self[..<start] + bytes + self[start...]
    }

    /// Returns this baseline file with another size in its frame header.
    func withFrameSize(_ width: Int, _ height: Int) -> Data {
        let sides = firstRange(of: Data([0xFF, 0xC0]))!.lowerBound + 5
        let bytes = [height, width].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        return self[..<sides] + bytes + self[(sides + 4)...]
    }

    /// Whether the data contains the bytes of `text`.
    func contains(_ text: String) -> Bool { firstRange(of: Data(text.utf8)) != nil }

    /// The offsets in each marker segment after the first byte of its marker.
    var segments: [Range<Int>] {
        var (segments, start): ([Range<Int>], Int) = ([], 2)
        while start + 4 <= count {
            guard self[start] == 0xFF, ![0, 0xFF, 0xD9].contains(self[start + 1]),
                !(0xD0...0xD7).contains(self[start + 1])
            else {
                start += 1
                continue
            }
            let end = start + 2 + (Int(self[start + 2]) << 8 | Int(self[start + 3]))
            segments.append((start + 1)..<end)
            start = end
        }
        return segments
    }

    /// The end of the first complete scan; `nil` if there is only one scan.
    var endOfFirstScan: Int? {
        let scan = firstRange(of: Data([0xFF, 0xDA]))!.upperBound
        return indices.dropFirst(scan).dropLast().first {
            self[$0] == 0xFF && self[$0 + 1] != 0 && !(0xD0...0xD7).contains(self[$0 + 1])
        }
    }
}
