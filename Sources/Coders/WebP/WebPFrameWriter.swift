import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes the frames of an animation, of each only the rectangle that has changed.
struct WebPFrameWriter {
    /// How many bytes a frame takes besides those of its pixels.
    static let overhead = 24

    /// The chunks so far.
    private(set) var chunks = Data()

    /// Whether some frame so far has alpha.
    private(set) var hasAlpha = false

    private var last: Bitmap?

    /// Throws when the format cannot say how often the animation plays.
    init(loopCount: Int) throws(ImageError) {
        guard (0...0xFFFF).contains(loopCount) else {
            throw ImageError(.unsupported, .encode, "a WebP cannot play \(loopCount) times, only up to 65535")
        }
        // The colour of the background, which is transparent, comes first.
        var header = Data([0, 0, 0, 0])
        header.append(littleEndian: loopCount, byteCount: 2)
        chunks.append(chunk: "ANIM", header)
    }

    /// Adds a frame as large as those before it, of which `encode` writes a part, in any case without loss if told so.
    mutating func add(_ frame: Frame, encode: (_ part: Bitmap, _ isLossless: Bool) throws -> WebPEncodedPixels) throws {
        let milliseconds = (frame.duration * 1000).rounded()
        guard (0...0xFF_FFFF).contains(milliseconds) else {
            throw ImageError(.unsupported, .encode, "a WebP cannot show a frame for \(frame.duration) s")
        }
        let changed = changedArea(of: frame.bitmap)
        // A frame without a change must be there, too: one pixel, which lossy neighbours would change.
        let area = changed ?? PixelRectangle(x: 0, y: 0, width: 1, height: 1)
        let part = area == PixelRectangle(frame.bitmap.size) ? frame.bitmap : frame.bitmap.part(area)
        let pixels = try encode(part, changed == nil)
        var payload = Data(capacity: 16 + pixels.chunks.count)
        for number in [area.x / 2, area.y / 2, area.width - 1, area.height - 1, Int(milliseconds)] {
            payload.append(littleEndian: number, byteCount: 3)
        }
        // The pixels take the place of what is there, and stay: that is exact, whatever their alpha.
        payload.append(2)
        payload.append(pixels.chunks)
        chunks.append(chunk: "ANMF", payload)
        hasAlpha = hasAlpha || pixels.hasAlpha
        last = frame.bitmap
    }

    /// What differs from the frame before, and begins where the format can say it; `nil` for nothing.
    private func changedArea(of bitmap: Bitmap) -> PixelRectangle? {
        guard let last else { return PixelRectangle(bitmap.size) }
        guard var area = last.difference(to: bitmap) else { return nil }
        (area.width, area.height) = (area.width + area.x % 2, area.height + area.y % 2)
        (area.x, area.y) = (area.x - area.x % 2, area.y - area.y % 2)
        return area
    }
}
