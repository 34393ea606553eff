import DarkroomCore

/// The blend modes that need all channels at once, `hue`, `saturation`, `color` and `luminosity`, with one colour.
///
/// The formulas follow W3C, "Compositing and Blending Level 1", section 10.2.
struct HueBlending {
    private let mode: BlendMode
    private let color: Light
    private let alpha: Float

    private static var unit: Float { 1 / 255 }

    /// Creates the blending for one of the four modes with `color`; returns `nil` for other modes.
    init?(_ mode: BlendMode, color: Color) {
        guard [.hue, .saturation, .color, .luminosity].contains(mode) else { return nil }
        let components = SIMD4<Float>(color.components)
        self.mode = mode
        self.color = Light(
            red: SIMD8(repeating: components.x), green: SIMD8(repeating: components.y),
            blue: SIMD8(repeating: components.z))
        alpha = components.w
    }

    /// Returns eight pixels with the colour blended over them.
    @inline(__always) func mixed(on words: SIMD8<UInt32>) -> SIMD8<UInt32> {
        var block = PixelBlock(words)
        let below = Light(red: block.red * Self.unit, green: block.green * Self.unit, blue: block.blue * Self.unit)
        let alphaBelow = block.alpha * Self.unit
        let blended = blended(on: below)
        let (both, colorRest, belowRest) = (alpha * alphaBelow, alpha * (1 - alphaBelow), alphaBelow * (1 - alpha))
        let sum = alpha + belowRest
        let scale = 255 / sum
        func straight(_ blended: SIMD8<Float>, _ color: SIMD8<Float>, _ below: SIMD8<Float>) -> SIMD8<Float> {
            (blended * both + color * colorRest + below * belowRest) * scale
        }
        block.red = straight(blended.red, color.red, below.red)
        block.green = straight(blended.green, color.green, below.green)
        block.blue = straight(blended.blue, color.blue, below.blue)
        block.alpha = sum * 255
        return block.words
    }

    @inline(__always) private func blended(on below: Light) -> Light {
        switch mode {
        case .hue: color.with(saturation: below.saturation).with(luminosity: below.luminosity)
        case .saturation: below.with(saturation: color.saturation).with(luminosity: below.luminosity)
        case .color: color.with(luminosity: below.luminosity)
        default: below.with(luminosity: color.luminosity)
        }
    }
}

/// The straight colours of eight pixels, 0 to 1.
private struct Light {
    var red, green, blue: SIMD8<Float>

    var luminosity: SIMD8<Float> { 0.3 * red + 0.59 * green + 0.11 * blue }

    var saturation: SIMD8<Float> { greatest - least }

    private var least: SIMD8<Float> {
        let least = red.replacing(with: green, where: green .< red)
        return least.replacing(with: blue, where: blue .< least)
    }

    private var greatest: SIMD8<Float> {
        let greatest = red.replacing(with: green, where: green .> red)
        return greatest.replacing(with: blue, where: blue .> greatest)
    }

    @inline(__always) private func map(_ change: (SIMD8<Float>) -> SIMD8<Float>) -> Light {
        Light(red: change(red), green: change(green), blue: change(blue))
    }

    @inline(__always) func with(saturation: SIMD8<Float>) -> Light {
        let (least, range) = (least, self.saturation)
        // A grey has no hue to saturate.
        let factor = (saturation / range).replacing(with: 0, where: range .== 0)
        return map { ($0 - least) * factor }
    }

    /// Returns the colours shifted to `luminosity`, and moved towards that grey until all channels are within 0 to 1.
    @inline(__always) func with(luminosity: SIMD8<Float>) -> Light {
        let distance = luminosity - self.luminosity
        let moved = map { $0 + distance }
        let (least, greatest) = (moved.least, moved.greatest)
        var factor = SIMD8<Float>(repeating: 1)
        factor.replace(with: luminosity / (luminosity - least), where: least .< 0)
        factor.replace(with: (1 - luminosity) / (greatest - luminosity), where: greatest .> 1)
        return moved.map { luminosity + ($0 - luminosity) * factor }
    }
}
