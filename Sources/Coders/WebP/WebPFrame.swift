import DarkroomCore
import DarkroomPlatform

/// One encoded image inside a WebP, and its role in an animation.
struct WebPFrame {
    /// The range of its pixel chunks in the file, in the form that libwebp accepts. The file may end before its end.
    let pixels: Range<Data.Index>

    /// The features that libwebp finds in the header of the pixels.
    let features: WebPFeatures

    /// The position of its first pixel on the canvas.
    private(set) var left = 0, top = 0

    /// Whether it is blended over the canvas instead of replacing it.
    private(set) var blends = true

    /// Whether its area is cleared to transparent after it was shown.
    private(set) var isCleared = false

    private var milliseconds = 0

    /// Its area on the canvas.
    var area: PixelRectangle { PixelRectangle(x: left, y: top, width: size.width, height: size.height) }

    /// The placement and blending on the canvas.
    var patch: FramePatch {
        FramePatch(
            area: area, blending: blends ? .over : .replace, disposal: isCleared ? .clear : .keep, hasAlpha: hasAlpha,
            duration: duration)
    }

    /// How long it is shown. Like browsers, it replaces durations of up to a hundredth of a second with a tenth.
    var duration: Duration { .milliseconds(milliseconds <= 10 ? 100 : milliseconds) }

    /// Whether all its bytes are in `file`.
    func isComplete(in file: Data) -> Bool { pixels.upperBound <= file.endIndex }

    var size: PixelSize { features.size }
    var hasAlpha: Bool { features.hasAlpha }

    /// Parses an image that begins with `chunk`. If that is the alpha plane, the colours are in the next chunk.
    init(_ chunk: WebPChunk, followedBy chunks: inout WebPChunks) throws(ImageError) {
        var colors = chunk
        if chunk.name == "ALPH" {
            guard let next = try chunks.next(), next.name == "VP8 " else { throw .noPixels }
            colors = next
        }
        guard ["VP8 ", "VP8L"].contains(colors.name) else { throw .noPixels }
        pixels = chunk.bytes.startIndex..<(colors.bytes.startIndex + colors.byteCount)
        guard let features = try WebPFeatures(chunks.bytes(from: chunk, through: colors)) else {
            throw colors.isComplete ? .noPixels : .truncatedWebP
        }
        self.features = features
    }

    /// Parses a frame of an animation from the payload of its chunk.
    init(animation payload: Data) throws(ImageError) {
        guard payload.count >= 16 else { throw .noPixels }
        var chunks = WebPChunks(inside: payload.dropFirst(16))
        guard let chunk = try chunks.next() else { throw .noPixels }
        try self.init(chunk, followedBy: &chunks)
        left = 2 * payload.littleEndian(at: 0, byteCount: 3)
        top = 2 * payload.littleEndian(at: 3, byteCount: 3)
        milliseconds = payload.littleEndian(at: 12, byteCount: 3)
        let flags = payload.littleEndian(at: 15, byteCount: 1)
        blends = flags & 2 == 0
        isCleared = flags & 1 == 1
        let size = PixelSize(
            1 + payload.littleEndian(at: 6, byteCount: 3), 1 + payload.littleEndian(at: 9, byteCount: 3))
        guard size == features.size else {
            throw ImageError(.corrupt, .decode, "a frame of the WebP declares \(size) pixels, but has \(features.size)")
        }
    }
}

extension ImageError {
    fileprivate static let noPixels = ImageError(.corrupt, .decode, "an image in the WebP has no pixels")
}
