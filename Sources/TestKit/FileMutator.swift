/// Mutates files in ways that are likely to break parsers. Equal seeds give equal files.
public struct FileMutator {
    private var random: SeededGenerator
    private let files: [[UInt8]]

    /// Creates a mutator of `files`, which must not be empty.
    public init(_ files: [[UInt8]], seed: UInt64) {
        self.files = files
        random = SeededGenerator(seed: seed)
    }

    /// Returns the next mutated file.
    public mutating func next() -> [UInt8] {
        var bytes = files[below(files.count)]
        for _ in 0...below(4) { change(&bytes) }
        if bytes.first == 0x89, below(4) > 0 { PNGChecksums.mend(&bytes) }
        return bytes
    }

    /// Returns the next file that ends early. It is cut anywhere or near the start of a part, and often goes on with the
    /// starts of other parts, such as that of a second header. Some are mutated before.
    public mutating func nextCut() -> [UInt8] {
        var bytes = files[below(files.count)]
        if below(3) == 0 { change(&bytes) }
        let places = FileParts(bytes).boundaries
        let end = below(2) == 0 ? below(bytes.count + 1) : places[below(places.count)] + below(12)
        bytes.removeLast(bytes.count - min(end, bytes.count))
        for _ in 0..<below(3) { bytes += startOfPart() }
        return bytes
    }

    /// Returns a random number from 0 up to, but not including, `bound`; 0 if `bound` is not positive.
    public mutating func below(_ bound: Int) -> Int { bound > 0 ? Int.random(in: 0..<bound, using: &random) : 0 }

    private mutating func change(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        switch below(11) {
        case 0: flipBits(&bytes)
        case 1: fillRun(&bytes)
        case 2: writeNumber(&bytes, at: below(bytes.count))
        case 3: writeNumber(&bytes, at: nearBoundary(bytes))
        case 4: moveChunk(&bytes, keeping: false)
        case 5: moveChunk(&bytes, keeping: true)
        case 6: removeChunk(&bytes)
        case 7: bytes.removeLast(below(bytes.count))
        case 8: insertRun(&bytes)
        case 9: bytes.removeSubrange(run(in: bytes))
        default: splice(&bytes)
        }
    }

    private mutating func flipBits(_ bytes: inout [UInt8]) {
        for _ in 0...below(8) { bytes[below(bytes.count)] ^= 1 << UInt8(below(8)) }
    }

    private mutating func fillRun(_ bytes: inout [UInt8]) {
        let value: UInt8? = [0, 255, nil][below(3)]
        for place in run(in: bytes) { bytes[place] = value ?? UInt8(below(256)) }
    }

    private mutating func insertRun(_ bytes: inout [UInt8]) {
        let count = below(40)
        let run = (0..<count).map { _ in UInt8(below(256)) }
        bytes.insert(contentsOf: run, at: below(bytes.count + 1))
    }

    /// Overwrites bytes with a length, size or count that is an edge case for parsers.
    private mutating func writeNumber(_ bytes: inout [UInt8], at start: Int) {
        let edges: [UInt64] = [0, 1, 2, 3, 7, 8, 0x7F, 0x80, 0xFF, 0x100, 0x3FFF, 0x7FFF, 0x8000, 0xFFFF]
        let wide: [UInt64] = [0x1_0000, 0xFF_FFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFF7, 0xFFFF_FFFF]
        let value = below(3) > 0 ? edges[below(edges.count)] : wide[below(wide.count)]
        let (count, isBig) = ([1, 2, 4][below(3)], below(2) == 0)
        for place in 0..<count where start + place < bytes.count {
            bytes[start + place] = UInt8(truncatingIfNeeded: value >> (8 * (isBig ? count - 1 - place : place)))
        }
    }

    private mutating func nearBoundary(_ bytes: [UInt8]) -> Int {
        let places = FileParts(bytes).boundaries
        return min(places[below(places.count)] + below(16), bytes.count - 1)
    }

    private mutating func moveChunk(_ bytes: inout [UInt8], keeping: Bool) {
        let chunk = chunk(of: bytes)
        let moved = Array(bytes[chunk])
        if !keeping { bytes.removeSubrange(chunk) }
        let places = FileParts(bytes).boundaries
        bytes.insert(contentsOf: moved, at: places[below(places.count)])
    }

    private mutating func removeChunk(_ bytes: inout [UInt8]) { bytes.removeSubrange(chunk(of: bytes)) }

    private mutating func chunk(of bytes: [UInt8]) -> Range<Int> {
        let places = FileParts(bytes).boundaries
        let index = below(places.count - 1)
        return places[index]..<places[index + 1]
    }

    /// Joins the start of this file and the end of another one.
    private mutating func splice(_ bytes: inout [UInt8]) {
        let other = files[below(files.count)]
        let (head, tail) = (FileParts(bytes).boundaries, FileParts(other).boundaries)
        let atBoundary = below(2) == 0
        let end = atBoundary ? head[below(head.count)] : below(bytes.count)
        let start = atBoundary ? tail[below(tail.count)] : below(other.count)
        bytes = Array(bytes[..<end] + other[start...])
    }

    /// Returns the first bytes of a part. In every other JPEG, it gets another marker.
    private mutating func startOfPart() -> [UInt8] {
        let file = files[below(files.count)]
        let places = FileParts(file).boundaries
        let start = places[below(places.count)]
        var part = Array(file[start..<min(start + 1 + below(24), file.count)])
        if part.count > 1, part[0] == 0xFF, below(2) == 0 { part[1] = UInt8(0xC0 + below(0x20)) }
        return part
    }

    private mutating func run(in bytes: [UInt8]) -> Range<Int> {
        let start = below(bytes.count)
        return start..<min(start + 1 + below(24), bytes.count)
    }
}
