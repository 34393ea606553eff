import DarkroomCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A landscape with a sun and three ranges of hills, different for each seed.
struct Landscape {
    let seed: Int
    let size: PixelSize
    /// The position of the sun on its way, from 0 to 1.
    let time: Double

    func bitmap() throws -> Bitmap {
        try Bitmap(size, hasAlpha: false) { pixels in
            for y in 0..<size.height {
                pixels.fill(0..<size.width, of: y, width: size.width, with: sky(at: Double(y) / Double(size.height)))
                if let sun = sun(at: y) {
                    pixels.fill(sun, of: y, width: size.width, with: Color(red: 255, green: 244, blue: 214))
                }
            }
            for range in 0..<3 { drawHills(range, into: &pixels) }
        }
    }

    private func random(_ number: Int) -> Double {
        var value = UInt64(seed &* 31 &+ number &+ 1) &* 0x9E37_79B9_7F4A_7C15
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        return Double((value ^ (value >> 27)) >> 11) / Double(1 << 53)
    }

    private func sky(at height: Double) -> Color {
        Self.color(hue: random(0) + height * 0.12, 0.45, 0.65 + 0.3 * height)
    }

    private func sun(at y: Int) -> Range<Int>? {
        let (width, height) = (Double(size.width), Double(size.height))
        let radius = height * (0.06 + 0.05 * random(1))
        let x = width * (0.2 + 0.6 * (random(2) + time).truncatingRemainder(dividingBy: 1))
        let distance = Double(y) - height * (0.15 + 0.2 * random(3))
        guard abs(distance) < radius else { return nil }
        let half = (radius * radius - distance * distance).squareRoot()
        return max(0, Int(x - half))..<min(size.width, Int(x + half))
    }

    private func drawHills(_ range: Int, into pixels: inout MutableSpan<UInt8>) {
        let base = 0.45 + 0.17 * Double(range),
            color = Self.color(
                hue: random(0) + 0.45 + 0.05 * Double(range), 0.5, 0.55 - 0.16 * Double(range))
        for x in 0..<size.width {
            let place = Double(x) / Double(size.width)
            let wave = sin(place * (4 + 5 * random(10 + range)) + 6 * random(20 + range))
            let detail = sin(place * 23 + 6 * random(30 + range)) * 0.25
            let top = Int((base - 0.1 * (wave + detail)) * Double(size.height))
            for y in max(0, top)..<size.height { pixels.fill(x..<x + 1, of: y, width: size.width, with: color) }
        }
    }

    private static func color(hue: Double, _ saturation: Double, _ value: Double) -> Color {
        func channel(_ shift: Double) -> UInt8 {
            let angle = (hue + shift) * 2 * Double.pi
            return UInt8(max(0, min(255, 255 * value * (1 - saturation * (0.5 - 0.5 * cos(angle))))))
        }
        return Color(red: channel(0), green: channel(1 / 3.0), blue: channel(2 / 3.0))
    }
}

extension MutableSpan<UInt8> {
    /// Fills `columns` of row `y` of a bitmap that is `width` pixels wide.
    mutating func fill(_ columns: Range<Int>, of y: Int, width: Int, with color: Color) {
        for x in columns {
            let offset = (y * width + x) * 4
            self[offset] = color.red
            self[offset + 1] = color.green
            self[offset + 2] = color.blue
            self[offset + 3] = 255
        }
    }
}
