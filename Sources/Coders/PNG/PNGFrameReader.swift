import DarkroomCore
import DarkroomPlatform

/// Decodes frames of an animation in any order. libpng does not support animations, so it gets each frame as a still.
struct PNGFrameReader {
    private let file: PNGFile
    private let outline: PNGOutline
    private let request: DecodeRequest

    /// Creates a reader of the frames of `data`, the file that `outline` was read from.
    init(of data: Data, outline: PNGOutline, request: DecodeRequest) {
        file = PNGFile(data)
        self.outline = outline
        self.request = request
    }

    /// Returns a decoder of all frames.
    func makeDecoder() throws -> FrameCompositor {
        try FrameCompositor(
            canvas: outline.size, hasAlpha: outline.framesHaveAlpha,
            patches: outline.frames.map(\.patch), limits: request.context.limits
        ) { index in try bitmap(of: outline.frames[index]) }
    }

    private func bitmap(of frame: PNGFrame) throws -> Bitmap {
        let size = frame.patch.area.size
        let feeder = try PNGFeeder(size, verifiesChecksums: false, conversion: PNGDeepConversion(request))
        return try Bitmap(size, hasAlpha: outline.hasAlpha, limits: request.context.limits) { pixels in
            try unsafe pixels.withUnsafeMutableBufferPointer { pixels in
                try unsafe read(frame, with: feeder, into: pixels.baseAddress)
            }
            guard feeder.isComplete else {
                throw ImageError(.corrupt, .decode, "a frame of the PNG file has too few rows")
            }
        }
    }

    private func read(
        _ frame: PNGFrame, with feeder: PNGFeeder, into buffer: UnsafeMutablePointer<UInt8>?
    ) throws {
        func feed(_ bytes: Span<UInt8>) throws {
            try unsafe feeder.feed(bytes, into: buffer) { _, _, _ in try request.checkCancellation() }
        }
        try feed(header(of: frame).span)
        var offset = frame.range.lowerBound
        while offset < frame.range.upperBound, !feeder.isComplete, let chunk = file.chunk(at: offset) {
            try request.checkCancellation()
            if chunk.name == frame.pixels { try read(chunk, feed: feed) }
            offset = chunk.end
        }
    }

    /// Returns the start of a file whose image is the frame. Its checksums are not verified.
    private func header(of frame: PNGFrame) -> [UInt8] {
        let size = frame.patch.area.size
        var bytes = Array(file[0..<16])
        bytes += UInt32(size.width).bigEndianBytes + UInt32(size.height).bigEndianBytes
        bytes += file[24..<33]
        for chunk in outline.shared { bytes += file[chunk.start..<chunk.end] }
        return bytes
    }

    /// Feeds the pixels of `chunk` as a chunk of a still.
    private func read(_ chunk: PNGChunk, feed: (Span<UInt8>) throws -> Void) throws {
        let sequenceByteCount = chunk.name == .framePixels ? 4 : 0
        var checksum = file.withBytes((chunk.start + 4)..<(chunk.start + 8 + sequenceByteCount)) { $0.checksum() }
        let start = UInt32(chunk.byteCount - sequenceByteCount).bigEndianBytes + PNGChunkName.pixels.bytes
        try feed(start.span)
        var offset = chunk.body.lowerBound + sequenceByteCount
        while offset < chunk.body.upperBound {
            try request.checkCancellation()
            // Small enough that the checksum does not delay cancellation.
            let end = min(offset + (1 << 16), chunk.body.upperBound)
            try file.withBytes(offset..<end) { bytes in
                checksum = bytes.checksum(after: checksum)
                try feed(bytes)
            }
            offset = end
        }
        guard Int(checksum) == file.number(at: offset) else {
            throw ImageError(.corrupt, .decode, "a frame of the PNG file has an incorrect checksum")
        }
        try file.withBytes(offset..<(offset + 4)) { try feed($0) }
    }
}
