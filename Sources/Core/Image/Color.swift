/// A colour of sRGB with straight alpha, 8 bits a channel, as pixels have it.
public struct Color: Hashable, Sendable {
    /// The channels, 0 to 255.
    public var red, green, blue, alpha: UInt8

    /// A colour of these channels.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Opaque white.
    public static let white = Color(red: 255, green: 255, blue: 255)
}

extension Color: CustomStringConvertible {
    /// The colour as `#aarrggbb`, which is how identifiers write it.
    public var description: String {
        "#" + [alpha, red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension Bitmap {
    /// The colour of column `x` of row `y`; `nil` outside.
    public func color(x: Int, y: Int) -> Color? {
        guard (0..<size.width).contains(x), (0..<size.height).contains(y) else { return nil }
        return withPixels { pixels in
            let start = (y * size.width + x) * 4
            return Color(
                red: pixels[start], green: pixels[start + 1], blue: pixels[start + 2], alpha: pixels[start + 3])
        }
    }
}
