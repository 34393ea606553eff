extension BlendMode {
    /// Whether the mode mixes the two colours and composites the mixture over the image.
    var isBlending: Bool { (BlendMode.normal.rawValue...BlendMode.luminosity.rawValue).contains(rawValue) }

    /// Returns the blended channel, or alpha. Both values are premultiplied, 0 to 1, and come with their alphas.
    ///
    /// The formulas follow Porter and Duff, "Compositing Digital Images", and for `multiply` to `exclusion` W3C,
    /// "Compositing and Blending Level 1". `HueBlending` implements the modes that need all channels at once.
    func mixed(_ source: Float, alpha sourceAlpha: Float, on below: Float, alphaBelow: Float) -> Float {
        let (sourceRest, belowRest) = (source * (1 - alphaBelow), below * (1 - sourceAlpha))
        switch self {
        case .clear: return 0
        case .copy: return source
        case .sourceIn: return source * alphaBelow
        case .sourceOut: return sourceRest
        case .sourceAtop: return source * alphaBelow + belowRest
        case .destinationOver: return below + sourceRest
        case .destinationIn: return below * sourceAlpha
        case .destinationOut: return belowRest
        case .destinationAtop: return below * sourceAlpha + sourceRest
        case .xor: return sourceRest + belowRest
        case .plusDarker: return max(0, source + below - 1)
        case .plusLighter: return min(1, source + below)
        default:
            guard sourceAlpha > 0, alphaBelow > 0 else { return sourceRest + belowRest }
            return sourceRest + belowRest + sourceAlpha * alphaBelow
                * blended(min(source / sourceAlpha, 1), on: min(below / alphaBelow, 1))
        }
    }

    /// Returns the W3C blend function of straight values: `color` and the backdrop.
    private func blended(_ color: Float, on below: Float) -> Float {
        switch self {
        case .multiply: color * below
        case .screen: color + below - color * below
        case .overlay: Self.hardLight(below, on: color)
        case .darken: min(color, below)
        case .lighten: max(color, below)
        case .colorDodge: below == 0 ? 0 : color >= 1 ? 1 : min(1, below / (1 - color))
        case .colorBurn: below >= 1 ? 1 : color == 0 ? 0 : 1 - min(1, (1 - below) / color)
        case .softLight: Self.softLight(color, on: below)
        case .hardLight: Self.hardLight(color, on: below)
        case .difference: abs(color - below)
        case .exclusion: color + below - 2 * color * below
        default: color
        }
    }

    private static func hardLight(_ color: Float, on below: Float) -> Float {
        guard color > 0.5 else { return 2 * color * below }
        let light = 2 * color - 1
        return light + below - light * below
    }

    private static func softLight(_ color: Float, on below: Float) -> Float {
        guard color > 0.5 else { return below - (1 - 2 * color) * below * (1 - below) }
        let lit = below <= 0.25 ? ((16 * below - 12) * below + 4) * below : below.squareRoot()
        return below + (2 * color - 1) * (lit - below)
    }
}
