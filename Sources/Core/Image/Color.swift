/// A colour with straight alpha and 8 bits per channel, like the pixels of a bitmap. It is sRGB, except where it is read from
/// pixels with a profile, or drawn over them: its numbers are never converted. See ``ImageContext/colorSpace``.
public struct Color: Hashable, Sendable, Codable {
    /// The channels, from 0 to 255.
    public var red, green, blue, alpha: UInt8

    /// Creates a colour with these channels.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Opaque white.
    public static let white = Color(red: 255, green: 255, blue: 255)
}

extension Color {
    /// Red, green, blue and straight alpha, from 0 to 1.
    public var components: SIMD4<Double> {
        SIMD4(Double(red), Double(green), Double(blue), Double(alpha)) / 255
    }

    /// Creates the colour nearest to these values of red, green, blue and alpha, from 0 to 1. Values out of range are
    /// clamped, and NaN counts as 0.
    public init(components: SIMD4<Double>) {
        func value(_ component: Double) -> UInt8 {
            component > 0 ? UInt8((min(component, 1) * 255).rounded()) : 0
        }
        self.init(
            red: value(components.x), green: value(components.y), blue: value(components.z),
            alpha: value(components.w))
    }
}

extension Color: LosslessStringConvertible {
    /// The colour as `#aarrggbb`, the notation of identifiers.
    public var description: String {
        "#" + [alpha, red, green, blue].hexadecimalText
    }

    /// Creates a colour from `#rgb`, `#rrggbb` or `#aarrggbb`, in either letter case, with or without `#`; `nil` for
    /// any other text.
    public init?(_ hexText: String) {
        let digits = hexText.utf8.drop { $0 == UInt8(ascii: "#") }
        guard hexText.utf8.count - digits.count <= 1 else { return nil }
        var number: UInt32 = 0
        for digit in digits.prefix(9) {
            guard let value = digit.hexDigitValue else { return nil }
            number = number << 4 | UInt32(value)
        }
        switch digits.count {
        case 3: self.init(opaque: (number & 0xF00) << 8 | (number & 0xF0) << 4 | number & 0xF, times: 0x11)
        case 6: self.init(opaque: number, times: 1)
        case 8: self.init(opaque: number, times: 1, alpha: UInt8(number >> 24))
        default: return nil
        }
    }

    private init(opaque number: UInt32, times factor: UInt8, alpha: UInt8 = 255) {
        func channel(_ shift: UInt32) -> UInt8 { UInt8(number >> shift & 255) * factor }
        self.init(red: channel(16), green: channel(8), blue: channel(0), alpha: alpha)
    }
}

extension Bitmap {
    /// Returns the colour of the pixel in column `x` of row `y`; `nil` if it is out of bounds.
    public func color(x: Int, y: Int) -> Color? {
        guard (0..<size.width).contains(x), (0..<size.height).contains(y) else { return nil }
        return withPixels { $0.color(at: y * size.width + x) }
    }

    /// Returns the colour of the pixel that contains `point`, measured in pixels from the top left corner; `nil` if it
    /// is out of bounds.
    public func color(at point: SIMD2<Double>) -> Color? {
        guard point.x >= 0, point.y >= 0, point.x < Double(size.width), point.y < Double(size.height) else {
            return nil
        }
        return color(x: Int(point.x), y: Int(point.y))
    }

    /// Returns the colours in `area`, row by row; `nil` if it is empty or not entirely within bounds.
    public func colors(in area: PixelRectangle) -> [Color]? {
        guard !area.isEmpty, area.clamped(to: size) == area else { return nil }
        return withPixels { pixels in
            (area.y..<(area.y + area.height)).flatMap { y in
                (area.x..<(area.x + area.width)).map { x in pixels.color(at: y * size.width + x) }
            }
        }
    }
}

extension Span<UInt8> {
    /// Returns the colour of the pixel at `index`.
    fileprivate func color(at index: Int) -> Color {
        Color(red: self[index * 4], green: self[index * 4 + 1], blue: self[index * 4 + 2], alpha: self[index * 4 + 3])
    }
}
