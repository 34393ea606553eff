import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the blocks of a GIF tell when its pixels are skipped: one pass over the file that decompresses nothing.
///
/// A growing file may be read again and again: each byte is looked at once.
struct GIFOutline {
    /// The logical screen; the size of the first frame in a file that has none.
    private(set) var size = PixelSize(0, 0)

    /// The bytes of the file before its first block: the logical screen and the colours of all frames.
    private(set) var headerByteCount = 0

    /// Plays as stored, 0 for ever; 1 when nothing is stored.
    private(set) var loopCount = 1

    /// The frames whose descriptors were read; what lies in the last one may not be all there.
    private(set) var frames: [GIFFrame] = []

    /// How many frames are all there.
    private(set) var completeCount = 0

    /// Whether no frame can follow, whatever bytes do.
    var hasEnded: Bool { part == .end }

    /// What lies at `position`.
    private enum Part {
        case screen, block, pixels, loopCount, otherData, end
    }

    private var part = Part.screen
    /// May lie beyond the bytes that are there.
    private var position = 0
    /// Of the frame to come.
    private var control = GIFControl()
    private var extensionCount = 0

    /// Goes on with `request.data`, which begins with all that was read before.
    ///
    /// A file that breaks off, or ends in rubbish, still has the frames before; without any, rubbish is an error, and so
    /// are too many frames, and too many extensions besides one a frame.
    mutating func read(_ request: InfoRequest) throws(ImageError) {
        let bytes = request.data.span
        var partCount = 0
        while position < bytes.count, try readPart(bytes) {
            partCount += 1
            // Sub-blocks may be as short as a byte, and cost less than the question.
            guard partCount % 4096 == 0 || part == .block else { continue }
            try request.checkCancellation()
            try request.limits.check(frameCount: frames.count)
            try request.limits.check(segmentCount: extensionCount - min(extensionCount, frames.count))
        }
    }

    /// Whether it was all there, so that another part may follow.
    private mutating func readPart(_ bytes: Span<UInt8>) throws(ImageError) -> Bool {
        switch part {
        case .screen: try readScreen(bytes)
        case .block: try readBlock(bytes)
        case .pixels, .loopCount, .otherData: readSubBlock(bytes)
        case .end: false
        }
    }

    private mutating func readScreen(_ bytes: Span<UInt8>) throws(ImageError) -> Bool {
        guard bytes.count >= 13 else { return false }
        guard ImageFormat.gif.matches((0..<6).map { bytes[$0] }) else {
            throw ImageError(.corrupt, .decode, "the bytes do not start as a GIF does")
        }
        size = PixelSize(bytes.number(at: 6), bytes.number(at: 8))
        headerByteCount = 13 + paletteByteCount(bytes[10])
        position = headerByteCount
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
                throw ImageError(.corrupt, .decode, "the GIF has a block of an unknown kind")
            }
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
        if frames.isEmpty, size.width == 0 || size.height == 0 {
            (area.x, area.y) = (0, 0)
            size = area.size
        }
        frames.append(GIFFrame(offset: position, area: area, control: control))
        control = GIFControl()
        // Behind the colours there is a byte for the size of codes.
        position += 10 + paletteByteCount(bytes[position + 9]) + 1
        part = .pixels
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
    /// The number of two bytes at `index`, the lower one first.
    fileprivate func number(at index: Int) -> Int { Int(self[index]) | Int(self[index + 1]) << 8 }

    fileprivate var isLoopApplication: Bool {
        let name = indices.map { self[$0] }
        return name == Array("NETSCAPE2.0".utf8) || name == Array("ANIMEXTS1.0".utf8)
    }
}

/// How many bytes of colours follow a descriptor with these flags.
private func paletteByteCount(_ flags: UInt8) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
}
