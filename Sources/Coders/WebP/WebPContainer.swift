import DarkroomCore
import DarkroomPlatform

/// The structure of a WebP without its pixels.
///
/// The chunks are parsed here because libwebp's demuxer takes quadratic time for many frames.
struct WebPContainer {
    /// The canvas size.
    private(set) var size = PixelSize(0, 0)

    /// Whether the file declares alpha, or any of its frames has it.
    private(set) var hasAlpha = false

    /// The embedded Exif.
    private(set) var exif: Exif?

    /// The embedded XMP.
    private(set) var metadata = EmbeddedMetadata()

    /// The embedded profile.
    private(set) var iccProfile: Data?

    /// Whether the file is an animation, even one with a single frame.
    private(set) var isAnimated = false

    /// The stored number of plays; 0 for infinite.
    private(set) var loopCount = 0

    /// The duration of each complete frame of an animation.
    private(set) var frameDurations: [Duration] = []

    /// The first complete frames, up to the requested number; or the still, which may be incomplete.
    private(set) var frames: [WebPFrame] = []

    /// Whether the file ends before the declared end.
    private(set) var isTruncated = false

    /// Whether the animation ends before chunks that are invalid.
    private(set) var isDamaged = false

    private let maximumFrameCount: Int
    private var otherChunkCount = 0
    private var position: Data.Index?
    private var flags = WebPFlags()
    private var isCanvasOpaque = false

    /// The still, which may be incomplete, or the first frame of the animation.
    var firstFrame: WebPFrame {
        get throws(ImageError) {
            guard let first = frames.first else { throw .noImage }
            return first
        }
    }

    /// Reads the container, and retains at most `maximumFrameCount` frames, since frames take more memory than durations.
    ///
    /// An animation ends before the first invalid chunk after a frame. Throws `incomplete` if `request.data` ends before
    /// the whole header is known: the size of a still, the first frame of an animation, an announced orientation. Throws
    /// `overLimit` for too many frames or other chunks.
    init(_ request: InfoRequest, maximumFrameCount: Int = 1) throws(ImageError) {
        self.maximumFrameCount = maximumFrameCount
        var chunks = try WebPChunks(file: request.data)
        guard let chunk = try chunks.next() else { throw .noImage }
        if chunk.name == "VP8X" {
            try readCanvas(chunk)
            try readAll(&chunks, for: request)
        } else {
            try readStill(chunk, followedBy: &chunks)
            size = try firstFrame.size
        }
    }

    private mutating func readAll(_ chunks: inout WebPChunks, for request: InfoRequest) throws(ImageError) {
        (isTruncated, isDamaged) = (false, false)
        do {
            while let chunk = try chunks.next() {
                try request.checkCancellation()
                try read(chunk, followedBy: &chunks)
                if chunk.name == "XMP ", chunk.isComplete, flags.contains(.xmp) {
                    metadata.add(xmp: chunk.payload, limits: request.limits)
                }
                guard chunk.isComplete else { continue }
                position = chunks.position
                otherChunkCount += chunk.name == "ANMF" && isAnimated ? 0 : 1
                try request.limits.check(segmentCount: otherChunkCount)
                try request.limits.check(frameCount: frameDurations.count)
            }
        } catch {
            let mayEnd = exif != nil || !flags.contains(.exif) || request.acceptsIncomplete
            isTruncated = error.kind == .incomplete && mayEnd
            isDamaged = error.kind == .corrupt && isAnimated
            guard !frames.isEmpty, isTruncated || isDamaged else { throw error }
        }
        guard !frames.isEmpty else { throw .noImage }
    }

    /// Continues reading an animation. `request.data` must begin with the bytes read before.
    mutating func continueReading(_ request: InfoRequest) throws(ImageError) {
        var chunks = try WebPChunks(file: request.data, from: position)
        try readAll(&chunks, for: request)
    }

    /// Notes that frames of an animation, or an announced orientation, are missing at the end of the file or of its valid
    /// chunks.
    func noteTruncation(for request: DecodeRequest) {
        guard isTruncated || isDamaged else { return }
        let count = frameDurations.count
        if isAnimated {
            let defect = isDamaged ? "damaged" : "truncated"
            request.noteIncomplete("the WebP is \(defect) after \(count) complete frame\(count == 1 ? "" : "s")")
        } else if flags.contains(.exif), exif == nil {
            request.noteIncomplete("the WebP is truncated before its Exif, so that it may not be upright")
        }
    }

    private mutating func readCanvas(_ chunk: WebPChunk) throws(ImageError) {
        guard chunk.isComplete else { throw .truncatedWebP }
        guard chunk.payload.count >= 10 else {
            throw ImageError(.corrupt, .decode, "the header of the WebP is too short")
        }
        flags = WebPFlags(rawValue: UInt8(chunk.payload.littleEndian(at: 0, byteCount: 1)))
        size = PixelSize(
            1 + chunk.payload.littleEndian(at: 4, byteCount: 3), 1 + chunk.payload.littleEndian(at: 7, byteCount: 3))
        hasAlpha = flags.contains(.alpha)
        isAnimated = flags.contains(.animation)
    }

    private mutating func read(_ chunk: WebPChunk, followedBy chunks: inout WebPChunks) throws(ImageError) {
        switch (chunk.name, chunk.isComplete) {
        case ("ANIM", true) where chunk.payload.count >= 6: loopCount = chunk.payload.littleEndian(at: 4, byteCount: 2)
        case ("ANMF", true) where isAnimated: try readFrame(chunk.payload)
        case ("ICCP", true) where flags.contains(.profile): iccProfile = Data(chunk.payload)
        case ("EXIF", true) where flags.contains(.exif):
            exif = Exif(Data(chunk.payload))
        case ("ALPH", _), ("VP8 ", _), ("VP8L", _):
            if !isAnimated, frames.isEmpty { try readStill(chunk, followedBy: &chunks) }
        default: break
        }
    }

    private mutating func readStill(_ chunk: WebPChunk, followedBy chunks: inout WebPChunks) throws(ImageError) {
        let frame = try WebPFrame(chunk, followedBy: &chunks)
        hasAlpha = hasAlpha || frame.hasAlpha
        frames = [frame]
    }

    private mutating func readFrame(_ payload: Data) throws(ImageError) {
        let frame = try WebPFrame(animation: payload)
        guard frame.left + frame.size.width <= size.width, frame.top + frame.size.height <= size.height else {
            throw ImageError(.corrupt, .decode, "a frame of the WebP extends beyond its canvas")
        }
        let isOpaque = frame.hasAlpha ? isCanvasOpaque && frame.blends : isCanvasOpaque || frame.size == size
        hasAlpha = hasAlpha || !isOpaque
        isCanvasOpaque = isOpaque && !frame.isCleared
        frameDurations.append(frame.duration)
        if frames.count < maximumFrameCount { frames.append(frame) }
    }
}

extension ImageError {
    fileprivate static let noImage = ImageError(.corrupt, .decode, "the WebP contains no image")
}
