import DarkroomCore
import DarkroomPlatform

/// The structure of a file without its pixels. Reading can continue when more bytes have arrived.
///
/// A frame is complete when the chunk after it has begun. An animation ends where its chunks are broken, out of order or
/// outside the canvas, and keeps the frames before that. An animation has at least two frames: with fewer, or with a broken
/// `acTL`, the file is a still, namely its only frame if it has one.
struct PNGOutline {
    /// The size of the image and the canvas.
    private(set) var size = PixelSize(0, 0)

    /// The complete frames. A still may have one.
    private(set) var frames: [PNGFrame] = []

    /// The number of plays; 0 for infinite.
    private(set) var loopCount = 0

    /// The colour information of the file.
    private(set) var colors = PNGColors()

    /// Whether the profile describes other colours than the pixels, such as inks. It is known only after libpng has
    /// read the header.
    var hasProfileOfOtherColors = false

    /// The embedded Exif.
    private(set) var exif: Exif?

    /// The XMP, IPTC metadata and comments.
    private(set) var metadata = EmbeddedMetadata()

    /// The first chunk of pixels; `nil` before its start.
    private(set) var firstPixels: PNGChunk?

    /// The end of the last chunk of pixels found so far.
    private(set) var pixelsEnd = 0

    /// Whether another chunk has begun after the pixels.
    private(set) var hasAllPixels = false

    /// The names of chunks that are ignored because they are damaged, up to a limit.
    private(set) var damagedChunks: [String] = []

    /// The chunks that all frames need, in file order: palette and transparency.
    private(set) var shared: [PNGChunk] = []

    /// Whether pixels may be transparent.
    private(set) var hasAlpha = false

    /// Whether no row is complete before the last pass.
    private(set) var isInterlaced = false

    /// The chunks before the pixels that libpng reads.
    private var headChunks: [PNGChunk] = []
    /// The number of searches for an intact chunk, each of which may take as long as reading the file.
    private var searchCount = 0
    /// Whether all bytes that will ever be available have arrived, so that chunks that continue after them are damaged.
    private var isWhole = false
    private var declaredFrameCount = 0
    private var openFrame: PNGFrame?
    private var nextSequence = 0
    private var isAnimationOver = false
    private var isOver = false
    private var chunkCount = 0
    private var otherChunkCount = 0
    private var offset = 8

    /// Creates the outline of an empty file.
    init() {}

    /// Reads the outline of the available part of the file in `request`.
    init(_ request: InfoRequest) throws(ImageError) {
        isWhole = true
        try read(PNGFile(request.data), for: request)
    }

    /// Whether the file has an end marker.
    var hasEnd: Bool { isOver }

    /// The number of frames that the animation declares but does not contain completely; `nil` if there are none.
    var missingFrameCount: Int? {
        declaredFrameCount > frames.count ? declaredFrameCount - frames.count : nil
    }

    /// Whether there are several frames.
    var isAnimated: Bool { frames.count > 1 }

    /// Whether the default image is the first frame, as far as known; true for a still.
    var includesDefaultImage: Bool { declaredFrameCount == 0 || (frames.first ?? openFrame)?.pixels == .pixels }

    /// Whether the first frame is complete and the default image is not a frame.
    var hasSeparateFirstFrame: Bool { !includesDefaultImage && !frames.isEmpty }

    /// Continues reading `file`, which must contain at least the bytes read before.
    ///
    /// Throws `overLimit` for too many frames or too many other chunks except those of pixels.
    mutating func read(_ file: PNGFile, for request: InfoRequest) throws(ImageError) {
        while !isOver {
            if skipDamage(in: file) { continue }
            guard let chunk = file.chunk(at: offset) else { return }
            begin(chunk)
            guard file.isComplete(chunk) else { return }
            if isDamaged(chunk, in: file) {
                otherChunkCount += 1
                noteDamage(of: chunk.name)
            } else {
                end(chunk, in: file)
                if chunk.name == .text || chunk.name == .internationalText {
                    metadata.read(chunk, in: file, limits: request.limits)
                }
            }
            offset = chunk.end
            chunkCount += 1
            if chunkCount % 256 == 0 { try request.checkCancellation() }
            try request.limits.check(frameCount: frames.count)
            try request.limits.check(segmentCount: otherChunkCount)
        }
    }

    /// Handles the start of a chunk, possibly repeatedly.
    private mutating func begin(_ chunk: PNGChunk) {
        if chunk.name == .pixels {
            firstPixels = firstPixels ?? chunk
            if !hasAllPixels { pixelsEnd = chunk.end }
        } else if firstPixels != nil {
            hasAllPixels = true
        }
        guard var frame = openFrame, !frame.range.isEmpty else { return }
        let endsFrame = frame.pixels == .pixels ? chunk.name != .pixels : chunk.name == .frame || chunk.name == .end
        guard endsFrame else { return }
        frame.range = frame.range.lowerBound..<chunk.start
        frames.append(frame)
        openFrame = nil
    }

    /// Handles a complete chunk.
    private mutating func end(_ chunk: PNGChunk, in file: PNGFile) {
        switch chunk.name {
        case .pixels: if openFrame?.pixels == .pixels { extendFrame(chunk) }
        case .frame: readFrame(chunk, in: file)
        case .framePixels: readPixels(chunk, in: file)
        default: readOther(chunk, in: file)
        }
    }

    /// Moves on to the next intact chunk if the length of the one before the pixels is damaged. Returns whether it did.
    private mutating func skipDamage(in file: PNGFile) -> Bool {
        guard isWhole, firstPixels == nil, !headChunks.isEmpty, searchCount < 2, offset <= file.count - 8 else {
            return false
        }
        if let chunk = file.chunk(at: offset) {
            guard !chunk.name.isEssential else { return false }
            if file.isComplete(chunk), file.canContinue(after: chunk) || file.isIntact(chunk) { return false }
        }
        searchCount += 1
        guard let next = file.intactChunk(from: offset + 8) else { return false }
        otherChunkCount += 1
        noteDamage(of: PNGChunkName(code: UInt32(file.number(at: offset + 4))))
        offset = next
        return true
    }

    /// Whether `chunk`, which is complete, is ignored because of its damage. That of others is found where they are read.
    private func isDamaged(_ chunk: PNGChunk, in file: PNGFile) -> Bool {
        switch chunk.name {
        case .header, .palette, .pixels, .end, .animation, .frame, .framePixels: false
        // libpng reports a first chunk other than the header.
        default: !headChunks.isEmpty && (!chunk.name.isValid || !file.isIntact(chunk))
        }
    }

    private mutating func noteDamage(of name: PNGChunkName) {
        let text = name.isValid ? String(decoding: name.bytes, as: UTF8.self) : "one without a valid name"
        if !damagedChunks.contains(text), damagedChunks.count < 8 { damagedChunks.append(text) }
    }

    /// Returns the part of `file` that libpng reads before the pixels.
    func head(of file: PNGFile) -> PNGHead {
        var bytes = Array(file[0..<min(8, file.count)])
        for chunk in headChunks { bytes += file[chunk.start..<chunk.end] }
        return PNGHead(bytes: bytes, bodyStart: min(firstPixels?.start ?? offset, file.count))
    }

    private mutating func readOther(_ chunk: PNGChunk, in file: PNGFile) {
        otherChunkCount += 1
        keepForHead(chunk)
        switch chunk.name {
        case .header where chunk.byteCount == 13 && chunk.start == 8:
            size = PixelSize(file.number(at: chunk.start + 8), file.number(at: chunk.start + 12))
            // Colour types with alpha have this bit.
            hasAlpha = file.number(at: chunk.start + 17, byteCount: 1) & 4 != 0
            isInterlaced = file.number(at: chunk.start + 20, byteCount: 1) != 0
        case .animation: readAnimation(chunk, in: file)
        case .palette, .transparency:
            guard firstPixels == nil else { return }
            hasAlpha = hasAlpha || chunk.name == .transparency
            // No valid chunk is longer than a palette of 256 colours, and there should be only one of each.
            if chunk.byteCount <= 768, shared.count < 8 { shared.append(chunk) }
        case .exif: if exif == nil { exif = Exif(Data(file[chunk.body])) }
        case .end: isOver = true
        default: if firstPixels == nil { colors.read(chunk, in: file) }
        }
    }

    /// Keeps `chunk` for libpng if it affects how pixels are read, or makes libpng refuse the file.
    private mutating func keepForHead(_ chunk: PNGChunk) {
        guard firstPixels == nil else { return }
        // libpng ignores longer ones.
        let isUsed =
            chunk.name == .transparency && chunk.byteCount <= 768
            || chunk.name == .profile && chunk.byteCount <= 5 << 20
        if isUsed || headChunks.isEmpty || !chunk.name.isAncillary { headChunks.append(chunk) }
    }

    private mutating func readAnimation(_ chunk: PNGChunk, in file: PNGFile) {
        guard file.isIntact(chunk) else { return noteDamage(of: chunk.name) }
        guard firstPixels == nil, chunk.byteCount == 8 else { return }
        let count = file.number(at: chunk.start + 8)
        // A file that declares two animations, or more frames than PNG allows, has none.
        isAnimationOver = isAnimationOver || declaredFrameCount > 0 || count > Int32.max
        declaredFrameCount = isAnimationOver ? 0 : count
        loopCount = file.number(at: chunk.start + 12)
    }

    private mutating func readFrame(_ chunk: PNGChunk, in file: PNGFile) {
        guard frames.count < declaredFrameCount, !isAnimationOver else { return }
        guard openFrame == nil, chunk.byteCount == 26, file.isIntact(chunk), follows(chunk, in: file),
            let frame = PNGFrame(chunk, of: file, pixels: firstPixels == nil ? .pixels : .framePixels)
        else { return endAnimation() }
        let canvas = PixelRectangle(size)
        let area = frame.patch.area
        guard frame.pixels == .pixels ? area == canvas : area.clamped(to: size) == area else { return endAnimation() }
        openFrame = frame
    }

    private mutating func readPixels(_ chunk: PNGChunk, in file: PNGFile) {
        guard declaredFrameCount > 0, !isAnimationOver else { return }
        guard openFrame?.pixels == .framePixels, chunk.byteCount >= 4, follows(chunk, in: file) else {
            // After the last frame, there is no frame for these pixels.
            return endAnimation()
        }
        extendFrame(chunk)
    }

    private mutating func extendFrame(_ chunk: PNGChunk) {
        let start = openFrame?.range.isEmpty == false ? openFrame?.range.lowerBound : nil
        openFrame?.range = (start ?? chunk.start)..<chunk.end
    }

    /// Whether the sequence number of the chunk follows the previous one.
    private mutating func follows(_ chunk: PNGChunk, in file: PNGFile) -> Bool {
        defer { nextSequence += 1 }
        return file.number(at: chunk.body.lowerBound) == nextSequence
    }

    private mutating func endAnimation() {
        openFrame = nil
        isAnimationOver = true
    }
}
