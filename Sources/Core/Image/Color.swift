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

extension Color {
    /// Red, green, blue and alpha, 0 to 1; straight, as the channels are.
    public var components: SIMD4<Double> {
        SIMD4(Double(red), Double(green), Double(blue), Double(alpha)) / 255
    }

    /// The colour nearest to red, green, blue and alpha of 0 to 1. What is beyond counts as the bound, NaN as 0.
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
    /// The colour as `#aarrggbb`, which is how identifiers write it.
    public var description: String {
        "#" + [alpha, red, green, blue].hexadecimalText
    }

    /// The colour of `#rgb`, `#rrggbb` or `#aarrggbb`, in small or capital letters, with or without `#`; otherwise `nil`.
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
    /// The colour of column `x` of row `y`; `nil` outside.
    public func color(x: Int, y: Int) -> Color? {
        guard (0..<size.width).contains(x), (0..<size.height).contains(y) else { return nil }
        return withPixels { $0.color(at: y * size.width + x) }
    }

    /// The colour of the pixel that `point` lies in, so many columns and rows from the top left; `nil` outside.
    public func color(at point: SIMD2<Double>) -> Color? {
        guard point.x >= 0, point.y >= 0, point.x < Double(size.width), point.y < Double(size.height) else {
            return nil
        }
        return color(x: Int(point.x), y: Int(point.y))
    }

    /// The colours in `area`, row by row; `nil` when it is empty or not wholly in the picture.
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
    /// The colour of pixel `index`.
    fileprivate func color(at index: Int) -> Color {
        Color(red: self[index * 4], green: self[index * 4 + 1], blue: self[index * 4 + 2], alpha: self[index * 4 + 3])
    }
}
