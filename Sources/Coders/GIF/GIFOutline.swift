import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the blocks of a GIF tell when its pixels are skipped: one pass over the file that decompresses nothing.
///
/// Frames count when they are all there, save the first one, whose descriptor is enough.
struct GIFOutline {
    /// The logical screen; the size of the first frame in a file that has none.
    private(set) var size = PixelSize(0, 0)

    /// Whether some frame has a transparent index, or does not cover the screen.
    private(set) var hasAlpha = false

    /// Plays as stored, 0 for ever; 1 when nothing is stored.
    private(set) var loopCount = 1

    /// Seconds, one entry a frame.
    private(set) var frameDurations: [Double] = []

    /// Of the frame to come, in hundredths of a second.
    private var delay = 0
    private var isTransparent = false

    /// Throws `incomplete` when `data` ends before the first frame's descriptor does.
    init(_ data: Data) throws(ImageError) {
        var bytes = GIFBytes(data)
        try readScreen(&bytes)
        do {
            while try readBlock(&bytes) {}
        } catch {
            // A file that breaks off later, or ends in rubbish, still has the frames before.
            guard !frameDurations.isEmpty else { throw error }
        }
        guard !frameDurations.isEmpty else { throw ImageError(.corrupt, .decode, "the GIF has no frame") }
    }

    private mutating func readScreen(_ bytes: inout GIFBytes) throws(ImageError) {
        var signature: [UInt8] = []
        for _ in 0..<6 { signature.append(try bytes.byte()) }
        guard ImageFormat.gif.matches(signature) else {
            throw ImageError(.corrupt, .decode, "the bytes do not start as a GIF does")
        }
        size = PixelSize(try bytes.number(), try bytes.number())
        let flags = try bytes.byte()
        try bytes.skip(2 + paletteByteCount(flags))
    }

    /// Whether another block may follow.
    private mutating func readBlock(_ bytes: inout GIFBytes) throws(ImageError) -> Bool {
        switch try bytes.byte() {
        case 0x21: try readExtension(&bytes)
        case 0x2C: try readFrame(&bytes)
        case 0x3B: return false
        default: throw ImageError(.corrupt, .decode, "the GIF has a block of an unknown kind")
        }
        return true
    }

    private mutating func readExtension(_ bytes: inout GIFBytes) throws(ImageError) {
        let label = try bytes.byte()
        guard let block = try bytes.subBlock() else { return }
        switch (label, String(decoding: block, as: UTF8.self)) {
        case (0xF9, _): readControl(block)
        case (0xFF, "NETSCAPE2.0"), (0xFF, "ANIMEXTS1.0"): return try readLoopCount(&bytes)
        default: break
        }
        try bytes.skipSubBlocks()
    }

    private mutating func readControl(_ block: [UInt8]) {
        guard block.count >= 4 else { return }
        isTransparent = block[0] & 1 == 1
        delay = Int(block[1]) | Int(block[2]) << 8
    }

    private mutating func readLoopCount(_ bytes: inout GIFBytes) throws(ImageError) {
        while let block = try bytes.subBlock() {
            if block.count >= 3, block[0] == 1 { loopCount = Int(block[1]) | Int(block[2]) << 8 }
        }
    }

    private mutating func readFrame(_ bytes: inout GIFBytes) throws(ImageError) {
        let (left, top) = (try bytes.number(), try bytes.number())
        let frame = PixelSize(try bytes.number(), try bytes.number())
        let flags = try bytes.byte()
        let isFirst = frameDurations.isEmpty
        let hasScreen = size.width > 0 && size.height > 0
        if isFirst, !hasScreen { size = frame }
        let covers = (left == 0 && top == 0 || !hasScreen) && frame.width >= size.width && frame.height >= size.height
        if isFirst { endFrame(covers: covers) }
        try bytes.skip(paletteByteCount(flags) + 1)
        try bytes.skipSubBlocks()
        if !isFirst { endFrame(covers: covers) }
    }

    private mutating func endFrame(covers: Bool) {
        hasAlpha = hasAlpha || isTransparent || !covers
        // The rule of all browsers: nobody means a frame to be shown for a hundredth of a second.
        frameDurations.append(delay < 2 ? 0.1 : Double(delay) / 100)
        (delay, isTransparent) = (0, false)
    }
}

/// How many bytes of colours follow a descriptor with these flags.
private func paletteByteCount(_ flags: UInt8) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
}
