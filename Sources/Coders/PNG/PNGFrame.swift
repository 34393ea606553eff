import DarkroomCore

/// A frame of an animation, as its chunk `fcTL` tells.
struct PNGFrame {
    /// Where and how its pixels go on the canvas.
    var patch: FramePatch

    /// The chunks that hold its pixels: `IDAT` of the picture itself, or `fdAT`.
    let pixels: PNGChunkName

    /// From the start of its first chunk of pixels to the start of what follows on the last; empty before they came.
    var range = 0..<0

    /// Reads `chunk`, an `fcTL` that is whole; `nil` when it says what no frame can be.
    init?(_ chunk: PNGChunk, of file: PNGFile, pixels: PNGChunkName) {
        let start = chunk.body.lowerBound
        let area = PixelRectangle(
            x: file.number(at: start + 12), y: file.number(at: start + 16), width: file.number(at: start + 4),
            height: file.number(at: start + 8))
        guard !area.isEmpty, let disposal = FramePatch.Disposal(code: file.number(at: start + 24, byteCount: 1)),
            let blending = FramePatch.Blending(code: file.number(at: start + 25, byteCount: 1))
        else { return nil }
        let (ticks, second) = (file.number(at: start + 20, byteCount: 2), file.number(at: start + 22, byteCount: 2))
        let seconds = Double(ticks) / Double(second == 0 ? 100 : second)
        // The rule of all browsers: nobody means a frame to be shown for a hundredth of a second.
        patch = FramePatch(
            area: area, blending: blending, disposal: disposal, duration: seconds < 0.011 ? 0.1 : seconds)
        self.pixels = pixels
    }
}

extension FramePatch.Disposal {
    /// The disposal that `fcTL` writes as `code`.
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
    /// The blending that `fcTL` writes as `code`.
    fileprivate init?(code: Int) {
        switch code {
        case 0: self = .replace
        case 1: self = .over
        default: return nil
        }
    }
}
