import DarkroomCore
import DarkroomPlatform

/// Assembles an APNG file from still PNG files of its frames.
struct AnimatedPNGWriter {
    private let loopCount: Int
    private var file = Data()
    private var frameCount = 0
    private var sequence: UInt32 = 0
    /// The offset of `acTL`, whose contents are known only at the end.
    private var start = 0

    /// Creates a writer of an animation that plays `loopCount` times; 0 for infinite.
    init(loopCount: Int) { self.loopCount = loopCount }

    /// The current size of the file.
    var byteCount: Int { file.count }

    /// Appends a frame whose pixels, those of `still`, replace those in `area`. The first frame must cover the canvas.
    mutating func append(_ still: Data, area: PixelRectangle, duration: Duration) {
        let source = PNGFile(still)
        var chunks: [PNGChunk] = []
        var offset = 8
        while let chunk = source.chunk(at: offset) {
            chunks.append(chunk)
            offset = chunk.end
        }
        let pixels = chunks.filter { $0.name == .pixels }
        if frameCount == 0 {
            start = pixels.first?.start ?? 0
            file = Data(source[0..<start]) + animationChunk
        }
        appendControl(area: area, duration: duration)
        for chunk in pixels {
            if frameCount == 0 {
                file += source[chunk.start..<chunk.end]
            } else {
                append(.framePixels, body: nextSequence().bigEndianBytes + source[chunk.body])
            }
        }
        frameCount += 1
    }

    /// Finishes the file and returns it.
    mutating func finish() -> Data {
        append(.end, body: [])
        let chunk = animationChunk
        file.replaceSubrange(start..<(start + chunk.count), with: chunk)
        return file
    }

    private var animationChunk: Data {
        var chunk = Data()
        chunk.append(
            .animation, body: UInt32(frameCount).bigEndianBytes + UInt32(clamping: loopCount).bigEndianBytes)
        return chunk
    }

    private mutating func appendControl(area: PixelRectangle, duration: Duration) {
        let delay = PNGDelay(duration)
        let numbers = [area.width, area.height, area.x, area.y].flatMap { UInt32($0).bigEndianBytes }
        // Disposal "none" and blending "source": the frame stays, and its pixels replace those below.
        append(
            .frame,
            body: nextSequence().bigEndianBytes + numbers + delay.ticks.bigEndianBytes
                + delay.ticksPerSecond.bigEndianBytes
                + [0, 0])
    }

    private mutating func nextSequence() -> UInt32 {
        defer { sequence += 1 }
        return sequence
    }

    private mutating func append(_ name: PNGChunkName, body: [UInt8]) { file.append(name, body: body) }
}
