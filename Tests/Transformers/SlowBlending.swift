import DarkroomCore
import DarkroomTransformers

/// Blends two colours in the most obvious way, as a reference for `Tint`, with which it shares no code.
struct SlowBlending {
    let mode: BlendMode

    /// Premultiplied red, green, blue, and alpha, 0 to 1.
    func mixed(_ source: Color, on below: Color) -> [Double] {
        let (sourceAlpha, belowAlpha) = (Double(source.alpha) / 255, Double(below.alpha) / 255)
        let color = [source.red, source.green, source.blue].map { Double($0) / 255 }
        let backdrop = [below.red, below.green, below.blue].map { Double($0) / 255 }
        let blended = blend(color, backdrop)
        func channel(_ s: Double, _ d: Double, _ b: Double) -> Double {
            switch mode {
            case .clear: 0
            case .copy: s
            case .sourceIn: s * belowAlpha
            case .sourceOut: s * (1 - belowAlpha)
            case .sourceAtop: s * belowAlpha + d * (1 - sourceAlpha)
            case .destinationOver: d + s * (1 - belowAlpha)
            case .destinationIn: d * sourceAlpha
            case .destinationOut: d * (1 - sourceAlpha)
            case .destinationAtop: d * sourceAlpha + s * (1 - belowAlpha)
            case .xor: s * (1 - belowAlpha) + d * (1 - sourceAlpha)
            case .plusDarker: max(0, 1 - ((1 - d) + (1 - s)))
            case .plusLighter: min(1, s + d)
            case .normal: s + d * (1 - sourceAlpha)
            default: s * (1 - belowAlpha) + d * (1 - sourceAlpha) + sourceAlpha * belowAlpha * b
            }
        }
        return (0..<3).map { channel(color[$0] * sourceAlpha, backdrop[$0] * belowAlpha, blended[$0]) }
            + [channel(sourceAlpha, belowAlpha, 1)]
    }

    private func blend(_ s: [Double], _ b: [Double]) -> [Double] {
        switch mode {
        case .hue: settingLuminosity(settingSaturation(s, saturation(b)), luminosity(b))
        case .saturation: settingLuminosity(settingSaturation(b, saturation(s)), luminosity(b))
        case .color: settingLuminosity(s, luminosity(b))
        case .luminosity: settingLuminosity(b, luminosity(s))
        default: zip(s, b).map(blend)
        }
    }

    private func blend(_ s: Double, _ b: Double) -> Double {
        switch mode {
        case .multiply: return b * s
        case .screen: return 1 - (1 - b) * (1 - s)
        case .overlay: return b <= 0.5 ? 2 * b * s : 1 - 2 * (1 - b) * (1 - s)
        case .darken: return min(b, s)
        case .lighten: return max(b, s)
        case .colorDodge: return b == 0 ? 0 : s == 1 ? 1 : min(1, b / (1 - s))
        case .colorBurn: return b == 1 ? 1 : s == 0 ? 0 : 1 - min(1, (1 - b) / s)
        case .hardLight: return s <= 0.5 ? 2 * b * s : 1 - 2 * (1 - b) * (1 - s)
        case .softLight:
            if s <= 0.5 { return b - (1 - 2 * s) * b * (1 - b) }
            return b + (2 * s - 1) * ((b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()) - b)
        case .difference: return abs(b - s)
        case .exclusion: return b + s - 2 * b * s
        default: return s
        }
    }

    private func luminosity(_ c: [Double]) -> Double { 0.3 * c[0] + 0.59 * c[1] + 0.11 * c[2] }

    private func saturation(_ c: [Double]) -> Double { c.max()! - c.min()! }

    private func settingSaturation(_ c: [Double], _ saturation: Double) -> [Double] {
        let order = [0, 1, 2].sorted { c[$0] < c[$1] }
        var result = [0.0, 0, 0]
        if c[order[2]] > c[order[0]] {
            result[order[1]] = (c[order[1]] - c[order[0]]) * saturation / (c[order[2]] - c[order[0]])
            result[order[2]] = saturation
        }
        return result
    }

    private func settingLuminosity(_ c: [Double], _ luminosity: Double) -> [Double] {
        let distance = luminosity - self.luminosity(c)
        let moved = c.map { $0 + distance }
        let (light, least, greatest) = (self.luminosity(moved), moved.min()!, moved.max()!)
        if least < 0 { return moved.map { light + ($0 - light) * light / (light - least) } }
        if greatest > 1 { return moved.map { light + ($0 - light) * (1 - light) / (greatest - light) } }
        return moved
    }
}
