import DarkroomCore
import TestSupport

/// A picture of waves, noise and a disc, by integer formulas that are easily repeated elsewhere, and changed copies of it.
enum GeneratedPicture: String, CaseIterable, Sendable {
    case original, posterized, noisy, shifted, blocky, dark

    /// Returns the picture. With `hasAlpha`, it becomes opaque from left to right.
    func bitmap(_ size: PixelSize, hasAlpha: Bool = false) -> Bitmap {
        Bitmap(size.width, size.height, hasAlpha: hasAlpha) { x, y in
            let alpha = hasAlpha ? UInt8(x * 255 / (size.width - 1)) : 255
            let values = (0..<3).map { UInt8(alpha == 0 ? 0 : value(x, y, $0, size)) }
            return Color(red: values[0], green: values[1], blue: values[2], alpha: alpha)
        }
    }

    private func value(_ x: Int, _ y: Int, _ channel: Int, _ size: PixelSize) -> Int {
        let value = Self.original(x, y, channel, size)
        return switch self {
        case .original: value
        case .posterized: value / 16 * 16 + 8
        case .noisy: min(max(value + Self.noise(x, y, channel + 7) % 17 - 8, 0), 255)
        case .shifted: Self.original(min(x + 1, size.width - 1), y, channel, size)
        case .blocky: Self.original(x / 4 * 4, y / 4 * 4, channel, size)
        case .dark: value * 15 / 16
        }
    }

    private static func original(_ x: Int, _ y: Int, _ channel: Int, _ size: PixelSize) -> Int {
        let wave = abs((x * (2 + channel) + y * (3 - channel)) % 128 - 64) * 3 + noise(x, y, channel) % 24
        let (right, down, side) = (2 * x - size.width, 2 * y - size.height, min(size.width, size.height))
        return min(wave + (right * right + down * down < side * side / 4 ? 40 : 0), 255)
    }

    private static func noise(_ x: Int, _ y: Int, _ channel: Int) -> Int {
        var hash = UInt32(x) &* 374_761_393 &+ UInt32(y) &* 668_265_263 &+ UInt32(channel) &* 2_246_822_519
        hash = (hash ^ hash >> 13) &* 1_274_126_177
        return Int(hash >> 16 & 255)
    }
}
