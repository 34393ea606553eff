import DarkroomCore
import DarkroomPlatform

extension PNGFile {
    /// The maximum number of chunks whose checksum is computed in search of one that is intact.
    private static let candidateLimit = 8

    /// Returns the start of the first intact chunk at `offset` or later, for a file in which the length before it is
    /// damaged. `nil` if there is none, or if another image begins first: the bytes may then be the content of a chunk.
    func intactChunk(from offset: Int) -> Int? {
        let bytes = data.span
        var candidateCount = 0
        guard offset <= bytes.count - 8 else { return nil }
        for start in offset...(bytes.count - 8) {
            // All names have a capital third letter.
            guard (0x41...0x5A).contains(bytes[start + 6]), let chunk = chunk(at: start), chunk.name.isKnown else {
                continue
            }
            guard chunk.name != .header, candidateCount < Self.candidateLimit else { return nil }
            candidateCount += 1
            if isComplete(chunk) ? isIntact(chunk) : beginsPixels(chunk) { return start }
        }
        return nil
    }

    /// Whether a chunk with a known name, or nothing, follows `chunk`, which is complete.
    func canContinue(after chunk: PNGChunk) -> Bool {
        chunk.end > count - 8 || self.chunk(at: chunk.end)?.name.isKnown == true
    }

    /// Whether the stream of `chunk`, the first one of pixels, declares a window that covers all references to a
    /// distance of up to `byteCount`.
    func declaresWindow(in chunk: PNGChunk, for byteCount: Int) -> Bool {
        guard chunk.byteCount > 0, chunk.body.lowerBound < count else { return false }
        let window = 256 << (number(at: chunk.body.lowerBound, byteCount: 1) >> 4)
        return window >= min(byteCount, 1 << 15)
    }

    /// Whether `chunk` begins like the pixels of a file that is truncated within it: with the header of a zlib stream.
    private func beginsPixels(_ chunk: PNGChunk) -> Bool {
        guard chunk.name == .pixels, chunk.body.lowerBound + 2 <= count else { return false }
        let header = number(at: chunk.body.lowerBound, byteCount: 2)
        return header >> 8 & 15 == 8 && header % 31 == 0
    }
}

extension PNGChunkName {
    /// Whether the name consists of letters.
    var isValid: Bool { bytes.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) } }

    /// Whether decoders that do not know the name may ignore the chunk.
    var isAncillary: Bool { isValid && bytes[0] & 0x20 != 0 }

    /// Whether PNG or APNG define the name.
    var isKnown: Bool { Self.known.contains(self) }

    /// Whether a decoder cannot do without the chunk.
    var isEssential: Bool { [.header, .palette, .pixels, .end].contains(self) }

    private static let known: Set<PNGChunkName> = [
        header, palette, pixels, end, transparency, animation, frame, framePixels, text, internationalText, "zTXt",
        exif,
        profile, standard, gamma, chromaticities, codePoints, "mDCV", "cLLI", "sBIT", "bKGD", "hIST", "pHYs", "sPLT",
        "tIME", "oFFs", "pCAL", "sCAL", "sTER", "gIFg", "gIFx", "dSIG", "caBX", "vpAg", "orNT", "caNv",
    ]
}
