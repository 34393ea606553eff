import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the chunks of a WebP tell before any pixel is decoded.
///
/// The chunks are read here because libwebp's demuxer takes quadratic time to go over many frames.
struct WebPContainer {
    /// The canvas.
    private(set) var size = PixelSize(0, 0)

    /// Whether the file says so, or some picture of it has transparent parts.
    private(set) var hasAlpha = false

    /// The embedded Exif.
    private(set) var exif: Exif?

    /// The embedded profile.
    private(set) var iccProfile: Data?

    /// Whether the frames are parts of an animation, be it of one.
    private(set) var isAnimated = false

    /// Plays as stored, 0 for ever.
    private(set) var loopCount = 0

    /// Seconds, one entry for each frame of an animation that is all there.
    private(set) var frameDurations: [Double] = []

    /// The first of the frames that are all there, no more than were asked for; or the still, of which bytes may be missing.
    private(set) var frames: [WebPFrame] = []

    private let frameBound: Int
    private var otherChunkCount = 0
    private var position: Data.Index?
    private var flags = WebPFlags()
    private var isCanvasOpaque = false

    /// The still, of which bytes may be missing, or the first frame of the animation.
    var firstFrame: WebPFrame {
        get throws(ImageError) {
            guard let first = frames.first else { throw .noPicture }
            return first
        }
    }

    /// Keeps at most `frameBound` frames, which take more memory than their durations.
    ///
    /// Throws `incomplete` when `request.data` ends before all of the header is known: the size of a still,
    /// the first frame of an animation, an orientation that the file promises. Throws `overLimit` when it has too many
    /// frames, or chunks besides them.
    init(_ request: InfoRequest, frameBound: Int = 1) throws(ImageError) {
        self.frameBound = frameBound
        var chunks = try WebPChunks(file: request.data)
        guard let chunk = try chunks.next() else { throw .noPicture }
        if chunk.name == "VP8X" {
            try readCanvas(chunk)
            try readAll(&chunks, request)
        } else {
            try readStill(chunk, &chunks)
            size = try firstFrame.size
        }
    }

    private mutating func readAll(_ chunks: inout WebPChunks, _ request: InfoRequest) throws(ImageError) {
        do {
            while let chunk = try chunks.next() {
                try request.checkCancellation()
                try read(chunk, &chunks)
                guard chunk.isComplete else { continue }
                position = chunks.position
                otherChunkCount += chunk.name == "ANMF" && isAnimated ? 0 : 1
                try request.limits.check(segmentCount: otherChunkCount)
                try request.limits.check(frameCount: frameDurations.count)
            }
        } catch {
            guard error.kind == .incomplete, !frames.isEmpty, exif != nil || !flags.contains(.exif) else { throw error }
        }
        guard !frames.isEmpty else { throw .noPicture }
    }

    /// Reads what has come of an animation: `request.data` is what was read before, and more at its end.
    mutating func readOn(_ request: InfoRequest) throws(ImageError) {
        var chunks = try WebPChunks(file: request.data, from: position)
        try readAll(&chunks, request)
    }

    private mutating func readCanvas(_ chunk: WebPChunk) throws(ImageError) {
        guard chunk.isComplete else { throw .endOfWebP }
        guard chunk.payload.count >= 10 else {
            throw ImageError(.corrupt, .decode, "the WebP's header is too short")
        }
        flags = WebPFlags(rawValue: UInt8(chunk.payload.littleEndian(at: 0, byteCount: 1)))
        size = PixelSize(
            1 + chunk.payload.littleEndian(at: 4, byteCount: 3), 1 + chunk.payload.littleEndian(at: 7, byteCount: 3))
        hasAlpha = flags.contains(.alpha)
        isAnimated = flags.contains(.animation)
    }

    private mutating func read(_ chunk: WebPChunk, _ chunks: inout WebPChunks) throws(ImageError) {
        switch (chunk.name, chunk.isComplete) {
        case ("ANIM", true) where chunk.payload.count >= 6: loopCount = chunk.payload.littleEndian(at: 4, byteCount: 2)
        case ("ANMF", true) where isAnimated: try readFrame(chunk.payload)
        case ("ICCP", true) where flags.contains(.profile): iccProfile = Data(chunk.payload)
        case ("EXIF", true) where flags.contains(.exif):
            exif = Exif(Data(chunk.payload))
        case ("ALPH", _), ("VP8 ", _), ("VP8L", _):
            if !isAnimated, frames.isEmpty { try readStill(chunk, &chunks) }
        default: break
        }
    }

    private mutating func readStill(_ chunk: WebPChunk, _ chunks: inout WebPChunks) throws(ImageError) {
        let frame = try WebPFrame(chunk, &chunks)
        hasAlpha = hasAlpha || frame.hasAlpha
        frames = [frame]
    }

    private mutating func readFrame(_ payload: Data) throws(ImageError) {
        let frame = try WebPFrame(animation: payload)
        guard frame.left + frame.size.width <= size.width, frame.top + frame.size.height <= size.height else {
            throw ImageError(.corrupt, .decode, "a frame of the WebP does not lie on its canvas")
        }
        let isOpaque = frame.hasAlpha ? isCanvasOpaque && frame.blends : isCanvasOpaque || frame.size == size
        hasAlpha = hasAlpha || !isOpaque
        isCanvasOpaque = isOpaque && !frame.isCleared
        frameDurations.append(frame.duration)
        if frames.count < frameBound { frames.append(frame) }
    }
}

extension ImageError {
    fileprivate static let noPicture = ImageError(.corrupt, .decode, "the WebP has no picture")
}
