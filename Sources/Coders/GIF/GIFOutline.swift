import DarkroomCore
import DarkroomPlatform

/// The structure of a GIF without its pixels, found in one pass that decompresses nothing.
///
/// A growing file may be read repeatedly: each byte is examined once.
struct GIFOutline {
    /// The logical screen size, or that of the first frame if it is larger, as in Firefox.
    private(set) var size = PixelSize(0, 0)

    /// The stored number of plays, 0 for infinite; 1 if absent.
    private(set) var loopCount = 1

    /// The XMP and the comments.
    private(set) var metadata = EmbeddedMetadata()

    /// The frames whose descriptors have been read. The data of the last one may be incomplete, or missing.
    private(set) var frames: [GIFFrame] = []

    /// The number of complete frames.
    private(set) var completeCount = 0

    /// The number of bytes read so far.
    private(set) var byteCount = 0

    /// Whether no more frames can follow.
    var hasEnded: Bool { part == .end }

    /// Whether it is a block of unknown type after which no more frames can follow.
    private(set) var endsInUnknownBlock = false

    /// Whether the bytes end after a complete block.
    var isBetweenBlocks: Bool { part == .block && position == byteCount }

    /// Whether the bytes end within the pixels of the last frame, or before the end of its data is marked.
    var isInPixels: Bool { part == .pixels && indexStart <= byteCount }

    /// The kind of the part at `position`.
    private enum Part {
        case screen, block, pixels, loopCount, comment, xmp, otherData, end
    }

    private var part = Part.screen
    /// May lie beyond the available bytes.
    private var position = 0
    /// For the next frame.
    private var control = GIFControl()
    private var extensionCount = 0
    /// The offset of the first sub-block of the last frame.
    private var indexStart = 0
    /// The comment being read, and the start of the XMP being read.
    private var comment = Data()
    private var xmpStart = 0

    /// Continues with `request.data`, which begins with everything read before.
    ///
    /// A file that is truncated or continues with garbage keeps the frames before that. Garbage without a preceding frame is
    /// an error, as are too many frames and too many extensions in addition to one per frame.
    mutating func read(_ request: InfoRequest) throws(ImageError) {
        let bytes = request.data.span
        var partCount = 0
        byteCount = bytes.count
        while position < bytes.count, try readPart(bytes, limits: request.limits) {
            partCount += 1
            // A sub-block may be a single byte, which takes less time than the check.
            guard partCount % 4096 == 0 || part == .block else { continue }
            try request.checkCancellation()
            try request.limits.check(frameCount: frames.count)
            try request.limits.check(segmentCount: extensionCount - min(extensionCount, frames.count))
        }
    }

    /// Returns whether the part was complete, so that the next part may be read.
    private mutating func readPart(_ bytes: Span<UInt8>, limits: DecodeLimits) throws(ImageError) -> Bool {
        switch part {
        case .screen: try readScreen(bytes)
        case .block: try readBlock(bytes)
        case .comment, .xmp: readMetadata(bytes, limits: limits)
        case .pixels, .loopCount, .otherData: readSubBlock(bytes)
        case .end: false
        }
    }

    private mutating func readScreen(_ bytes: Span<UInt8>) throws(ImageError) -> Bool {
        guard bytes.count >= 13 else { return false }
        guard ImageFormat.gif.matches((0..<6).map { bytes[$0] }) else {
            throw ImageError(.corrupt, .decode, "the data does not start with a GIF signature")
        }
        size = PixelSize(bytes.number(at: 6), bytes.number(at: 8))
        position = 13 + paletteByteCount(bytes[10])
        part = .block
        return true
    }

    private mutating func readBlock(_ bytes: Span<UInt8>) throws(ImageError) -> Bool {
        switch bytes[position] {
        case 0x21: return readExtension(bytes)
        case 0x2C: return try readDescriptor(bytes)
        case 0x3B: break
        default:
            guard !frames.isEmpty else {
                throw ImageError(.corrupt, .decode, "the GIF has a block of unknown type")
            }
            endsInUnknownBlock = true
        }
        part = .end
        return false
    }

    private mutating func readExtension(_ bytes: Span<UInt8>) -> Bool {
        let start = position + 3
        guard start <= bytes.count, case let end = start + Int(bytes[start - 1]), end <= bytes.count else {
            return false
        }
        extensionCount += 1
        let block = bytes.extracting(start..<end)
        switch bytes[start - 2] {
        case 0xF9: control = GIFControl(block) ?? control
        case 0xFF where block.isLoopApplication: part = .loopCount
        case 0xFF where block.isXMPApplication: (part, xmpStart) = (.xmp, end)
        // All sub-blocks are text, also the first one, which is read again.
        case 0xFE where start < end:
            (part, comment, position) = (.comment, Data(), start - 1)
            return true
        default: break
        }
        if part == .block, start < end { part = .otherData }
        position = end
        return true
    }

    private mutating func readDescriptor(_ bytes: Span<UInt8>) throws(ImageError) -> Bool {
        guard position + 10 <= bytes.count else { return false }
        var area = PixelRectangle(
            x: bytes.number(at: position + 1), y: bytes.number(at: position + 3),
            width: bytes.number(at: position + 5), height: bytes.number(at: position + 7))
        if frames.isEmpty, !area.isEmpty, area.width > size.width || area.height > size.height {
            (area.x, area.y) = (0, 0)
            size = area.size
        }
        frames.append(GIFFrame(offset: position, area: area, control: control))
        control = GIFControl()
        // The colour table is followed by one byte, the minimum code size.
        position += 10 + paletteByteCount(bytes[position + 9]) + 1
        indexStart = position
        part = .pixels
        return true
    }

    /// Reads a sub-block of a comment or of XMP.
    private mutating func readMetadata(_ bytes: Span<UInt8>, limits: DecodeLimits) -> Bool {
        let start = position + 1
        let end = start + Int(bytes[position])
        guard end <= bytes.count else { return false }
        if part == .comment, comment.count <= limits.metadataByteCount {
            for index in start..<end { comment.append(bytes[index]) }
        }
        if start == end {
            if part == .comment { metadata.add(comment: comment, limits: limits) }
            if part == .xmp, let packet = bytes.extracting(xmpStart..<position).xmpPacket(limits: limits) {
                metadata.add(xmp: packet, limits: limits)
            }
            comment = Data()
            part = .block
        }
        position = end
        return true
    }

    private mutating func readSubBlock(_ bytes: Span<UInt8>) -> Bool {
        let start = position + 1
        let end = start + Int(bytes[position])
        if part == .loopCount {
            guard end <= bytes.count else { return false }
            if end - start >= 3, bytes[start] == 1 { loopCount = bytes.number(at: start + 1) }
        }
        if start == end {
            if part == .pixels { completeCount = frames.count }
            part = .block
        }
        position = end
        return true
    }
}

extension Span<UInt8> {
    /// Returns the little-endian 16-bit number at `index`.
    fileprivate func number(at index: Int) -> Int { Int(self[index]) | Int(self[index + 1]) << 8 }

    fileprivate var isLoopApplication: Bool {
        let name = indices.map { self[$0] }
        return name == Array("NETSCAPE2.0".utf8) || name == Array("ANIMEXTS1.0".utf8)
    }

    fileprivate var isXMPApplication: Bool { indices.map { self[$0] } == Array("XMP DataXMP".utf8) }

    /// The packet in the sub-blocks of XMP. It is not split into sub-blocks: a sequence of bytes after it leads a reader
    /// that takes its text for lengths to the end.
    fileprivate func xmpPacket(limits: DecodeLimits) -> Data? {
        let byteCount = count - GIFMetadata.xmpTrailer.count
        guard byteCount > 0, byteCount <= limits.metadataByteCount,
            GIFMetadata.xmpTrailer.indices.allSatisfy({ self[byteCount + $0] == GIFMetadata.xmpTrailer[$0] })
        else { return nil }
        return Data((0..<byteCount).map { self[$0] })
    }
}

/// Constants of metadata.
enum GIFMetadata {
    /// The bytes between an XMP packet and the end of its last sub-block: 1, and then all numbers from 255 to 0.
    static let xmpTrailer: [UInt8] = [1] + (0...255).reversed()
}

/// Returns the size of the colour table that follows a descriptor with these flags.
private func paletteByteCount(_ flags: UInt8) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
}
