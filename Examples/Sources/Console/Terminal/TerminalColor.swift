package import Darkroom

/// The colours that a terminal supports.
package enum TerminalColors: Sendable {
    /// 24-bit colours.
    case all
    /// The 256 colours of xterm.
    case palette

    /// Returns the parameters of the escape sequence that sets `color`, after 38 or 48.
    package func parameters(of color: Color) -> String {
        switch self {
        case .all: "2;\(color.red);\(color.green);\(color.blue)"
        case .palette: "5;\(color.paletteIndex)"
        }
    }
}

extension Color {
    private static let cubeLevels = [0, 95, 135, 175, 215, 255]

    /// The index of the nearest of xterm's colours 16 to 255: a cube of six levels per channel, and 24 greys.
    fileprivate var paletteIndex: Int {
        let channels = [red, green, blue].map(Int.init)
        let levels = channels.map { channel in
            Self.cubeLevels.indices.min { abs(Self.cubeLevels[$0] - channel) < abs(Self.cubeLevels[$1] - channel) } ?? 0
        }
        let step = min(max((channels.reduce(0, +) / 3 - 3) / 10, 0), 23)
        let isGrayNearer =
            Self.distance(channels, Array(repeating: 8 + 10 * step, count: 3))
            < Self.distance(channels, levels.map { Self.cubeLevels[$0] })
        return isGrayNearer ? 232 + step : 16 + 36 * levels[0] + 6 * levels[1] + levels[2]
    }

    private static func distance(_ one: [Int], _ other: [Int]) -> Int {
        zip(one, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    }
}
