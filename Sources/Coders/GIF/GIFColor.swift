import DarkroomCore

/// A colour as GIF knows it: opaque, or the one transparent.
struct GIFColor: Hashable {
    /// Blue, green and red from bit 16 down, all bits above set; 0 for the transparent colour.
    private let bits: UInt32

    static let transparent = GIFColor(bits: 0)

    /// The colour of pixel `x` of a row of RGBA8: opaque when its alpha is at least 128.
    init(_ row: Span<UInt8>, _ x: Int) {
        let isOpaque = row[4 * x + 3] >= 128
        self = isOpaque ? GIFColor(red: row[4 * x], green: row[4 * x + 1], blue: row[4 * x + 2]) : .transparent
    }

    /// An opaque colour.
    init(red: UInt8, green: UInt8, blue: UInt8) {
        self.init(bits: 0xFF00_0000 | UInt32(blue) << 16 | UInt32(green) << 8 | UInt32(red))
    }

    private init(bits: UInt32) { self.bits = bits }

    var red: UInt8 { UInt8(truncatingIfNeeded: bits) }
    var green: UInt8 { UInt8(truncatingIfNeeded: bits >> 8) }
    var blue: UInt8 { UInt8(truncatingIfNeeded: bits >> 16) }
}

extension Bitmap {
    /// Lends each row, from the top, to `body`.
    func forEachRow(_ body: (Span<UInt8>) throws -> Void) rethrows {
        let byteCount = size.width * 4
        try withPixels { pixels in
            for y in 0..<size.height { try body(pixels.extracting((y * byteCount)..<((y + 1) * byteCount))) }
        }
    }
}
