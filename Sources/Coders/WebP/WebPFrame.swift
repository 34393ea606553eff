import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One picture inside a WebP, and how an animation shows it.
struct WebPFrame {
    /// Where the chunks of its pixels lie in the file, as libwebp takes them; the file may be cut before their end.
    let pixels: Range<Data.Index>

    /// What libwebp reads in the header of the pixels.
    let features: WebPFeatures

    /// Where its first pixel lies on the canvas.
    private(set) var left = 0, top = 0

    /// Whether it is drawn over what is there, rather than in its place.
    private(set) var blends = true

    /// Whether its area becomes transparent after it was shown.
    private(set) var isCleared = false

    private var milliseconds = 0

    /// Its part of the canvas.
    var area: PixelRectangle { PixelRectangle(x: left, y: top, width: size.width, height: size.height) }

    /// How the canvas takes it.
    var patch: FramePatch {
        FramePatch(
            area: area, blending: blends ? .over : .replace, disposal: isCleared ? .clear : .keep, hasAlpha: hasAlpha,
            duration: duration)
    }

    /// Seconds it is shown: as browsers do, what is too short to be meant becomes a tenth.
    var duration: Double { milliseconds <= 10 ? 0.1 : Double(milliseconds) / 1000 }

    /// Whether all its bytes are in `file`.
    func isComplete(in file: Data) -> Bool { pixels.upperBound <= file.endIndex }

    var size: PixelSize { features.size }
    var hasAlpha: Bool { features.hasAlpha }

    /// A picture that begins with `chunk`; if that is the alpha plane, the colours come next.
    init(_ chunk: WebPChunk, _ chunks: inout WebPChunks) throws(ImageError) {
        var colors = chunk
        if chunk.name == "ALPH" {
            guard let next = try chunks.next(), next.name == "VP8 " else { throw .noPixels }
            colors = next
        }
        guard ["VP8 ", "VP8L"].contains(colors.name) else { throw .noPixels }
        pixels = chunk.bytes.startIndex..<(colors.bytes.startIndex + colors.byteCount)
        guard let features = try WebPFeatures(chunks.bytes(from: chunk, through: colors)) else {
            throw colors.isComplete ? .noPixels : .endOfWebP
        }
        self.features = features
    }

    /// A frame of an animation, from the payload of its chunk.
    init(animation payload: Data) throws(ImageError) {
        guard payload.count >= 16 else { throw .noPixels }
        var chunks = WebPChunks(inside: payload.dropFirst(16))
        guard let chunk = try chunks.next() else { throw .noPixels }
        try self.init(chunk, &chunks)
        left = 2 * payload.littleEndian(at: 0, byteCount: 3)
        top = 2 * payload.littleEndian(at: 3, byteCount: 3)
        milliseconds = payload.littleEndian(at: 12, byteCount: 3)
        let flags = payload.littleEndian(at: 15, byteCount: 1)
        blends = flags & 2 == 0
        isCleared = flags & 1 == 1
        let size = PixelSize(
            1 + payload.littleEndian(at: 6, byteCount: 3), 1 + payload.littleEndian(at: 9, byteCount: 3))
        guard size == features.size else {
            throw ImageError(.corrupt, .decode, "a frame of the WebP says that it is \(size), and is \(features.size)")
        }
    }
}

extension ImageError {
    fileprivate static let noPixels = ImageError(.corrupt, .decode, "a picture of the WebP has no pixels")
}
