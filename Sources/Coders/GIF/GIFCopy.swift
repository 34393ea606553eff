public import DarkroomCore
public import DarkroomPlatform

extension GIFCoder {
    /// Returns the file with its frames and the number of plays. It is `nil` for files with text to be drawn.
    public func fileWithoutMetadata(_ request: InfoRequest) throws -> Data? { try GIFCopy(request).file() }
}

/// A copy of a file without metadata.
private struct GIFCopy {
    private let request: InfoRequest
    private let bytes: [UInt8]
    /// The offset of the next block.
    private var position = 0
    private var copy = Data()

    init(_ request: InfoRequest) {
        self.request = request
        bytes = [UInt8](request.data)
        copy.reserveCapacity(bytes.count)
    }

    /// Returns the copy; `nil` if anything is unusual.
    func file() throws(ImageError) -> Data? {
        var reading = self
        guard bytes.count > 13 else { return nil }
        reading.position = 13 + paletteByteCount(at: 10)
        guard reading.position <= bytes.count else { return nil }
        reading.copy += bytes[..<reading.position]
        while reading.position < bytes.count {
            try request.checkCancellation()
            if bytes[reading.position] == 0x3B { return reading.copy + [0x3B] }
            guard reading.copyBlock() else { return nil }
        }
        return nil
    }

    /// Copies the block at the position, unless it has metadata. Returns whether that was possible.
    private mutating func copyBlock() -> Bool {
        let start = position
        guard start + 1 < bytes.count, let end = endOfBlock(at: start) else { return false }
        position = end
        switch (bytes[start], bytes[start + 1]) {
        case (0x2C, _), (0x21, 0xF9): copy += bytes[start..<end]
        case (0x21, 0xFF) where isLoop(at: start): copy += bytes[start..<end]
        case (0x21, 0xFF), (0x21, 0xFE): break
        // The control block of a text would apply to the next frame.
        default: return false
        }
        return true
    }

    private func endOfBlock(at start: Int) -> Int? {
        guard bytes[start] == 0x2C else { return endOfSubBlocks(at: start + 2) }
        // The descriptor, the palette of the frame, and the width of codes.
        return start + 9 < bytes.count ? endOfSubBlocks(at: start + 11 + paletteByteCount(at: start + 9)) : nil
    }

    private func endOfSubBlocks(at start: Int) -> Int? {
        var position = start
        while position < bytes.count {
            guard bytes[position] > 0 else { return position + 1 }
            position += 1 + Int(bytes[position])
        }
        return nil
    }

    /// Returns the size of the palette that the flags at `offset` announce.
    private func paletteByteCount(at offset: Int) -> Int {
        bytes[offset] & 0x80 == 0 ? 0 : 3 << (Int(bytes[offset] & 7) + 1)
    }

    private func isLoop(at start: Int) -> Bool {
        let name = bytes[(start + 2)...].prefix(12)
        return ["NETSCAPE2.0", "ANIMEXTS1.0"].contains { name.elementsEqual([11] + Array($0.utf8)) }
    }
}
