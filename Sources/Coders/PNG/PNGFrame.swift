import DarkroomCore

/// A frame of an animation, as described by its `fcTL` chunk.
struct PNGFrame {
    /// The placement and blending of its pixels on the canvas.
    var patch: FramePatch

    /// The type of the chunks with its pixels: `IDAT` for the default image, or `fdAT`.
    let pixels: PNGChunkName

    /// The range from its first chunk of pixels to the end of the last; empty before the first one.
    var range = 0..<0

    /// Parses `chunk`, a complete `fcTL`. Returns `nil` if its contents are invalid.
    init?(_ chunk: PNGChunk, of file: PNGFile, pixels: PNGChunkName) {
        let start = chunk.body.lowerBound
        let area = PixelRectangle(
            x: file.number(at: start + 12), y: file.number(at: start + 16), width: file.number(at: start + 4),
            height: file.number(at: start + 8))
        guard !area.isEmpty, let disposal = FramePatch.Disposal(code: file.number(at: start + 24, byteCount: 1)),
            let blending = FramePatch.Blending(code: file.number(at: start + 25, byteCount: 1))
        else { return nil }
        let (ticks, second) = (file.number(at: start + 20, byteCount: 2), file.number(at: start + 22, byteCount: 2))
        let duration = Duration.seconds(ticks) / (second == 0 ? 100 : second)
        // Like all browsers, replaces durations of up to a hundredth of a second.
        patch = FramePatch(
            area: area, blending: blending, disposal: disposal,
            duration: duration < .milliseconds(11) ? .milliseconds(100) : duration)
        self.pixels = pixels
    }
}

extension FramePatch.Disposal {
    /// Creates the disposal that `fcTL` stores as `code`.
    fileprivate init?(code: Int) {
        switch code {
        case 0: self = .keep
        case 1: self = .clear
        case 2: self = .restore
        default: return nil
        }
    }
}

extension FramePatch.Blending {
    /// Creates the blending that `fcTL` stores as `code`.
    fileprivate init?(code: Int) {
        switch code {
        case 0: self = .replace
        case 1: self = .over
        default: return nil
        }
    }
}
