public import DarkroomCore
public import DarkroomPlatform

extension PNGCoder {
    /// Returns the file with the chunks that show the image: pixels, frames, transparency and colours.
    public func fileWithoutMetadata(_ request: InfoRequest) throws -> Data? {
        let bytes = request.data.span
        var copy = Data(capacity: bytes.count)
        copy.append(contentsOf: request.data.prefix(8))
        var position = 8
        while position + 12 <= bytes.count {
            try request.checkCancellation()
            let chunk = PNGChunk(
                name: PNGChunkName(code: bytes.bigEndian(at: position + 4)), start: position,
                byteCount: Int(bytes.bigEndian(at: position)))
            guard chunk.end <= bytes.count else { return nil }
            position = chunk.end
            if chunk.name.isShown {
                copy.append(request.data.dropFirst(chunk.start).prefix(chunk.end - chunk.start))
            } else if chunk.name.isCritical {
                return nil
            }
            if chunk.name == .end { return copy }
        }
        return nil
    }

    /// Returns `file` with the chunks of the metadata before those of the pixels.
    public func file(_ file: Data, withMetadataOf request: EncodeRequest) throws -> Data? {
        var chunks = Data()
        if let exif = request.exif { chunks.append(.exif, body: Array(exif.data)) }
        chunks.append(request.textChunks)
        let bytes = file.span
        var position = 8
        while position + 12 <= bytes.count, bytes.bigEndian(at: position + 4) != PNGChunkName.pixels.code {
            position += 12 + Int(bytes.bigEndian(at: position))
        }
        guard position + 12 <= bytes.count else { return nil }
        var data = file
        data.insert(contentsOf: chunks, at: data.startIndex + position)
        try request.check(outputByteCount: data.count)
        return data
    }
}

extension PNGChunkName {
    private static let shown: Set<Self> = [
        .header, .end, .pixels, .animation, .frame, .framePixels, .palette, .transparency, .profile, .standard, .gamma,
        .chromaticities, .codePoints, "sBIT", "mDCV", "cLLI",
    ]

    /// Whether chunks of this type affect how the image looks.
    fileprivate var isShown: Bool { Self.shown.contains(self) }

    /// Whether a decoder must not ignore chunks of this type.
    fileprivate var isCritical: Bool { bytes[0] & 0x20 == 0 }
}

extension Span<UInt8> {
    fileprivate func bigEndian(at offset: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 << 8 | UInt32(self[offset + $1]) }
    }
}
