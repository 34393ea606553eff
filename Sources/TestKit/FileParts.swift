/// Finds the chunks, segments or blocks of a file, as far as its structure is intact.
struct FileParts {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The offsets of the parts in ascending order, from the end of the file's signature to the end of the file.
    var boundaries: [Int] {
        switch bytes.first {
        case 0x89: walk(from: 8) { 12 + bigEndian(at: $0, byteCount: 4) }
        case 0x52: walk(from: 12) { 8 + (littleEndian(at: $0 + 4, byteCount: 4) + 1) & ~1 }
        case 0xFF:
            walk(from: 2) { bytes[$0] == 0xFF && $0 + 4 <= bytes.count ? 2 + bigEndian(at: $0 + 2, byteCount: 2) : nil }
        case 0x47: walk(from: 13 + tableByteCount(at: 10), gifBlock)
        default: [0, bytes.count]
        }
    }

    private func walk(from start: Int, _ length: (Int) -> Int?) -> [Int] {
        var (places, place) = ([min(start, bytes.count)], start)
        while place + 8 <= bytes.count, let count = length(place), count > 0, place + count < bytes.count {
            place += count
            places.append(place)
        }
        return places + [bytes.count]
    }

    private func gifBlock(at place: Int) -> Int? {
        switch bytes[place] {
        case 0x21: 2 + subBlocksByteCount(at: place + 2)
        case 0x2C where place + 11 <= bytes.count:
            11 + tableByteCount(at: place + 9) + subBlocksByteCount(at: place + 11 + tableByteCount(at: place + 9))
        default: nil
        }
    }

    private func tableByteCount(at place: Int) -> Int {
        place < bytes.count && bytes[place] & 0x80 != 0 ? 3 << (Int(bytes[place] & 7) + 1) : 0
    }

    private func subBlocksByteCount(at place: Int) -> Int {
        var end = place
        while end < bytes.count, bytes[end] != 0 { end += 1 + Int(bytes[end]) }
        return end + 1 - place
    }

    private func bigEndian(at place: Int, byteCount count: Int) -> Int {
        bytes[place..<min(place + count, bytes.count)].reduce(0) { $0 << 8 | Int($1) }
    }

    private func littleEndian(at place: Int, byteCount count: Int) -> Int {
        bytes[place..<min(place + count, bytes.count)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
