import DarkroomQuantizing
import Foundation

/// A generated picture with gradients, edges and noise, on which other quantizers were measured.
struct Picture {
    let width = 160
    let height = 120
    let rows: [[PackedColor]]

    /// Creates the picture; with alpha, a third of it is opaque, a third translucent, and a third transparent.
    init(hasAlpha: Bool) {
        rows = (0..<120).map { y in (0..<160).map { x in Self.color(x, y, hasAlpha: hasAlpha) } }
    }

    private static func color(_ x: Int, _ y: Int, hasAlpha: Bool) -> PackedColor {
        func wave(_ value: Int, _ period: Int) -> Int { abs(value % (2 * period) - period) * 255 / period }
        let hash = UInt32(truncatingIfNeeded: x * 73_856_093 ^ y * 19_349_663)
        let noise = Int((hash &* 2_654_435_761) >> 28)
        let channels = [
            wave(x + y / 2, 90) * 7 / 8, wave(2 * y + x / 3, 130) * 7 / 8, wave(x - y + 400, 70) * 3 / 4,
        ].map { UInt8(min($0 + noise, 255)) }
        let kind = hasAlpha ? (x / 40 + y / 40) % 3 : 0
        let alpha = kind == 0 ? 255 : kind == 1 ? min(max(x + y / 2, 1), 254) : 0
        return PackedColor(red: channels[0], green: channels[1], blue: channels[2], alpha: UInt8(alpha))
    }

    var histogram: ColorHistogram { rows.reduce(into: ColorHistogram()) { $0.insert($1) } }

    /// Returns the picture in `colors`.
    func reduced(to colors: [PackedColor], dithering: Double) -> [[PackedColor]] {
        var matcher = PaletteMatcher(colors, dithering: dithering, width: width)
        return rows.map { row in
            var indices = [UInt8](repeating: 0, count: width)
            matcher.lookUp(row, into: &indices)
            return indices.map { colors[Int($0)] }
        }
    }

    /// Returns the peak signal-to-noise ratio of `other` in decibels, on the average of black, grey and white backgrounds.
    func decibels(_ other: [[PackedColor]]) -> Double {
        var sum = 0.0
        for (left, right) in zip(rows.joined(), other.joined()) {
            for background in [0, 128, 255] {
                let difference = left.blended(over: Double(background)) - right.blended(over: Double(background))
                sum += (difference * difference).sum()
            }
        }
        return 10 * log10(255 * 255 * Double(9 * width * height) / sum)
    }
}

extension PackedColor {
    fileprivate func blended(over background: Double) -> SIMD3<Double> {
        let part = Double(alpha) / 255
        return SIMD3(Double(red), Double(green), Double(blue)) * part + background * (1 - part)
    }
}
