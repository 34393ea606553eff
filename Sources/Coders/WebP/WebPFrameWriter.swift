import DarkroomCore
import DarkroomPlatform

/// Encodes the frames of an animation as the rectangles that changed.
struct WebPFrameWriter {
    /// The number of bytes of a frame in addition to its pixels.
    static let overhead = 24

    /// The chunks so far.
    private(set) var chunks = Data()

    /// Whether any frame so far has alpha.
    private(set) var hasAlpha = false

    private var last: Bitmap?

    private var durations = DurationRounding(ticksPerSecond: 1000)

    /// Creates a writer of an animation that plays `loopCount` times; 0 for infinite.
    init(loopCount: UInt16) {
        // The background colour comes first, transparent here.
        var header = Data([0, 0, 0, 0])
        header.append(littleEndian: Int(loopCount), byteCount: 2)
        chunks.append(chunk: "ANIM", payload: header)
    }

    /// Appends a frame, which must have the size of the previous ones. `encode` encodes the changed part, losslessly if
    /// `isLossless` is true.
    mutating func add(_ frame: Frame, encode: (_ part: Bitmap, _ isLossless: Bool) throws -> WebPEncodedPixels) throws {
        guard (0...0xFF_FFFF).contains((frame.duration / .milliseconds(1)).rounded()) else {
            throw ImageError(.unsupported, .encode, "a WebP cannot show a frame for \(frame.duration)")
        }
        // Decoders replace up to ten milliseconds with a hundred.
        let milliseconds = durations.ticks(
            for: frame.duration, in: (frame.duration > .microseconds(10_500) ? 11 : 0)...0xFF_FFFF)
        let changed = changedArea(of: frame.bitmap)
        // An unchanged frame needs a pixel as well. Lossy encoding would change it.
        let area = changed ?? PixelRectangle(x: 0, y: 0, width: 1, height: 1)
        let part = area == PixelRectangle(frame.bitmap.size) ? frame.bitmap : frame.bitmap.part(area)
        let pixels = try encode(part, changed == nil)
        var payload = Data(capacity: 16 + pixels.chunks.count)
        for number in [area.x / 2, area.y / 2, area.width - 1, area.height - 1, milliseconds] {
            payload.append(littleEndian: number, byteCount: 3)
        }
        // Blending "replace", disposal "none": exact, whatever the alpha.
        payload.append(2)
        payload.append(pixels.chunks)
        chunks.append(chunk: "ANMF", payload: payload)
        hasAlpha = hasAlpha || pixels.hasAlpha
        last = frame.bitmap
    }

    /// Returns the area that differs from the previous frame, extended to an origin that the format can store; `nil` if
    /// none.
    private func changedArea(of bitmap: Bitmap) -> PixelRectangle? {
        guard let last else { return PixelRectangle(bitmap.size) }
        guard var area = last.difference(to: bitmap) else { return nil }
        (area.width, area.height) = (area.width + area.x % 2, area.height + area.y % 2)
        (area.x, area.y) = (area.x - area.x % 2, area.y - area.y % 2)
        return area
    }
}
