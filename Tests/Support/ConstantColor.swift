public import DarkroomCore
public import DarkroomTestKit

/// A picture of one colour under a random alpha mask, which nothing that filters pixels may change.
public struct ConstantColor: Sendable {
    /// The opaque colour.
    public let color: Color

    /// The picture. Its transparent pixels have no colour.
    public let bitmap: Bitmap

    /// Draws any alpha, or only 0 and 255 if `isBinary`, in noise, stripes or halves.
    public init(_ size: PixelSize, isBinary: Bool = false, _ random: inout SeededGenerator) {
        func level() -> UInt8 { .random(in: 0...255, using: &random) }
        let color = Color(red: level(), green: level(), blue: level())
        self.color = color
        let (kind, period) = (Int.random(in: 0..<3, using: &random), Int.random(in: 1...4, using: &random))
        bitmap = Bitmap(size.width, size.height, hasAlpha: true) { x, y in
            let alpha: UInt8 =
                switch kind {
                case 0: isBinary ? (level() < 128 ? 0 : 255) : level()
                case 1: (x / period + y / period) % 2 == 0 ? 0 : 255
                default: x < size.width / 2 ? 0 : 255
                }
            return Color(red: color.red, green: color.green, blue: color.blue, alpha: alpha)
        }
    }

    /// Returns the largest difference between this colour and one in `filtered` with an alpha of at least 16.
    public func largestChange(in filtered: Bitmap) -> Int {
        (0..<filtered.size.height).reduce(0) { largest, y in
            (0..<filtered.size.width).reduce(largest) { largest, x in
                guard let pixel = filtered.color(x: x, y: y), pixel.alpha >= 16 else { return largest }
                let channels = [(pixel.red, color.red), (pixel.green, color.green), (pixel.blue, color.blue)]
                return channels.reduce(largest) { max($0, abs(Int($1.0) - Int($1.1))) }
            }
        }
    }
}
