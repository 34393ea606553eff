import DarkroomCore

/// A lookup table from every value of every channel to its tinted value under one colour, for each alpha that occurs in
/// the image.
@safe struct TintTable: ~Copyable {
    private let color: SIMD4<Float>
    private let mode: BlendMode

    /// One row of 3 · 256 words for each alpha: red with alpha, green, blue, each at its position in a pixel.
    private let words = UnsafeMutablePointer<UInt32>.allocate(capacity: 256 * 768)
    private var isFilled = [Bool](repeating: false, count: 256)

    /// Creates a table for a mode that treats each channel separately.
    init(_ color: Color, mode: BlendMode) {
        let components = SIMD4<Float>(color.components)
        self.color = components
        self.mode = mode
    }

    deinit { unsafe words.deallocate() }

    /// Returns the alpha of a tinted pixel whose alpha was `alphaBelow`.
    func alpha(on alphaBelow: Int) -> UInt32 { byte(mixedAlpha(on: Float(alphaBelow) / 255)) }

    /// Writes the tinted pixels of a row.
    mutating func tint(from source: UnsafeBufferPointer<UInt32>, to target: UnsafeMutableBufferPointer<UInt32>) {
        var alpha: UInt32?
        var row = unsafe UnsafePointer(words)
        for x in source.indices {
            let pixel = unsafe UInt32(littleEndian: source[x])
            if pixel >> 24 != alpha {
                alpha = pixel >> 24
                unsafe row = self.row(for: Int(pixel >> 24))
            }
            let (red, green, blue) = (Int(pixel & 255), Int(pixel >> 8 & 255), Int(pixel >> 16 & 255))
            unsafe target[x] = row[red] | row[256 + green] | row[512 + blue]
        }
    }

    private mutating func row(for alpha: Int) -> UnsafePointer<UInt32> {
        let row = unsafe words + alpha * 768
        if !isFilled[alpha] {
            isFilled[alpha] = true
            unsafe fill(row, for: Float(alpha) / 255)
        }
        return unsafe UnsafePointer(row)
    }

    private func fill(_ row: UnsafeMutablePointer<UInt32>, for alphaBelow: Float) {
        let alpha = mixedAlpha(on: alphaBelow)
        for channel in 0..<3 {
            let source = color[channel] * color.w
            for value in 0..<256 {
                let mixed = mode.mixed(
                    source, alpha: color.w, on: Float(value) / 255 * alphaBelow, alphaBelow: alphaBelow)
                let word = (alpha > 0 ? byte(mixed / alpha) : 0) << UInt32(channel * 8)
                unsafe row[channel * 256 + value] = UInt32(littleEndian: word | (channel == 0 ? byte(alpha) << 24 : 0))
            }
        }
    }

    /// A blended colour is composited over the image with the alpha of the colour.
    private func mixedAlpha(on alphaBelow: Float) -> Float {
        (mode.isBlending ? .normal : mode).mixed(color.w, alpha: color.w, on: alphaBelow, alphaBelow: alphaBelow)
    }

    private func byte(_ value: Float) -> UInt32 { UInt32(min(max(value, 0), 1) * 255 + 0.5) }
}
