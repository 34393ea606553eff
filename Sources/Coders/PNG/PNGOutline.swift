import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the chunks of a file tell when its pixels are skipped. It can be read on when more bytes have come.
///
/// Frames count when they are all there: when the chunk behind them has begun. Where the animation's chunks are
/// broken or out of order it ends, and the frames before remain. An animation has at least two frames: with fewer,
/// and with a broken `acTL`, a file is a still, of its one frame if it has that.
struct PNGOutline {
    /// The size of the picture, and of the canvas.
    private(set) var size = PixelSize(0, 0)

    /// The frames that are all there. A still may have one.
    private(set) var frames: [PNGFrame] = []

    /// How often the animation plays; 0 for ever.
    private(set) var loopCount = 0

    /// What the file says of its colours.
    private(set) var colors = PNGColors()

    /// The embedded Exif.
    private(set) var exif: Exif?

    /// The first chunk of pixels; `nil` before it has begun.
    private(set) var picture: PNGChunk?

    /// Where the last chunk of pixels ends, as far as is known.
    private(set) var pictureEnd = 0

    /// Whether another chunk has begun behind those of pixels.
    private(set) var isPictureOver = false

    /// The chunks that all frames need, as they stand in the file: palette and transparency.
    private(set) var shared: [PNGChunk] = []

    /// Whether pixels may be transparent.
    private(set) var hasAlpha = false

    /// Whether no row is whole before the last pass.
    private(set) var isInterlaced = false

    private var announcedFrameCount = 0
    private var openFrame: PNGFrame?
    private var nextSequence = 0
    private var isAnimationOver = false
    private var isOver = false
    private var chunkCount = 0
    private var otherChunkCount = 0
    private var offset = 8

    /// The outline of a file of which nothing has come.
    init() {}

    /// The outline of the file that `request` asks about, as far as it is there.
    init(_ request: InfoRequest) throws(ImageError) { try read(PNGFile(request.data), request) }

    /// Whether there are several frames.
    var isAnimated: Bool { frames.count > 1 }

    /// Whether the picture is the first frame, as far as the file is there; true of a still.
    var showsPicture: Bool { announcedFrameCount == 0 || (frames.first ?? openFrame)?.pixels == .pixels }

    /// Whether the first frame is there as a whole, and the picture is no frame.
    var showsFrame: Bool { !showsPicture && !frames.isEmpty }

    /// Reads on in `file`, of which at least as much is there as before.
    ///
    /// Throws `overLimit` for too many frames, and too many chunks besides them and those of pixels, and `corrupt` for a
    /// frame that does not lie on the canvas.
    mutating func read(_ file: PNGFile, _ request: InfoRequest) throws(ImageError) {
        while !isOver, let chunk = file.chunk(at: offset) {
            begin(chunk)
            guard file.isWhole(chunk) else { return }
            try end(chunk, file)
            offset = chunk.end
            chunkCount += 1
            if chunkCount % 256 == 0 { try request.checkCancellation() }
            try request.limits.check(frameCount: frames.count)
            try request.limits.check(segmentCount: otherChunkCount)
        }
    }

    /// A chunk's name has come, perhaps again.
    private mutating func begin(_ chunk: PNGChunk) {
        if chunk.name == .pixels {
            picture = picture ?? chunk
            if !isPictureOver { pictureEnd = chunk.end }
        } else if picture != nil {
            isPictureOver = true
        }
        guard var frame = openFrame, !frame.range.isEmpty else { return }
        let endsFrame = frame.pixels == .pixels ? chunk.name != .pixels : chunk.name == .frame || chunk.name == .end
        guard endsFrame else { return }
        frame.range = frame.range.lowerBound..<chunk.start
        frames.append(frame)
        openFrame = nil
    }

    /// A chunk is there as a whole.
    private mutating func end(_ chunk: PNGChunk, _ file: PNGFile) throws(ImageError) {
        switch chunk.name {
        case .pixels: if openFrame?.pixels == .pixels { extendFrame(chunk) }
        case .frame: try readFrame(chunk, file)
        case .framePixels: readPixels(chunk, file)
        default: readOther(chunk, file)
        }
    }

    private mutating func readOther(_ chunk: PNGChunk, _ file: PNGFile) {
        otherChunkCount += 1
        switch chunk.name {
        case .header where chunk.byteCount == 13 && chunk.start == 8:
            size = PixelSize(file.number(at: chunk.start + 8), file.number(at: chunk.start + 12))
            // Colour types with alpha have this bit.
            hasAlpha = file.number(at: chunk.start + 17, byteCount: 1) & 4 != 0
            isInterlaced = file.number(at: chunk.start + 20, byteCount: 1) != 0
        case .animation: readAnimation(chunk, file)
        case .palette, .transparency:
            guard picture == nil else { return }
            hasAlpha = hasAlpha || chunk.name == .transparency
            // No valid one is longer than a palette of 256 colours, and there should be one of each.
            if chunk.byteCount <= 768, shared.count < 8 { shared.append(chunk) }
        case .exif: if exif == nil { exif = Exif(Data(file[chunk.body])) }
        case .end: isOver = true
        default: if picture == nil { colors.read(chunk, file) }
        }
    }

    private mutating func readAnimation(_ chunk: PNGChunk, _ file: PNGFile) {
        guard picture == nil, chunk.byteCount == 8, file.isIntact(chunk) else { return }
        let count = file.number(at: chunk.start + 8)
        // A file that announces two animations, or more frames than PNG can count, has none.
        isAnimationOver = isAnimationOver || announcedFrameCount > 0 || count > Int32.max
        announcedFrameCount = isAnimationOver ? 0 : count
        loopCount = file.number(at: chunk.start + 12)
    }

    private mutating func readFrame(_ chunk: PNGChunk, _ file: PNGFile) throws(ImageError) {
        guard frames.count < announcedFrameCount, !isAnimationOver else { return }
        guard openFrame == nil, chunk.byteCount == 26, file.isIntact(chunk), follows(chunk, file),
            let frame = PNGFrame(chunk, of: file, pixels: picture == nil ? .pixels : .framePixels)
        else { return endAnimation() }
        let canvas = PixelRectangle(size)
        let area = frame.patch.area
        guard frame.pixels == .pixels ? area == canvas : area.cut(to: size) == area else {
            throw ImageError(.corrupt, .decode, "a frame of the PNG file does not lie on its canvas")
        }
        openFrame = frame
    }

    private mutating func readPixels(_ chunk: PNGChunk, _ file: PNGFile) {
        guard announcedFrameCount > 0, !isAnimationOver else { return }
        guard openFrame?.pixels == .framePixels, chunk.byteCount >= 4, follows(chunk, file) else {
            // Behind the last frame there is none to belong to.
            return endAnimation()
        }
        extendFrame(chunk)
    }

    private mutating func extendFrame(_ chunk: PNGChunk) {
        let start = openFrame?.range.isEmpty == false ? openFrame?.range.lowerBound : nil
        openFrame?.range = (start ?? chunk.start)..<chunk.end
    }

    /// Whether the chunk's number is that after the one before.
    private mutating func follows(_ chunk: PNGChunk, _ file: PNGFile) -> Bool {
        defer { nextSequence += 1 }
        return file.number(at: chunk.body.lowerBound) == nextSequence
    }

    private mutating func endAnimation() {
        openFrame = nil
        isAnimationOver = true
    }
}
