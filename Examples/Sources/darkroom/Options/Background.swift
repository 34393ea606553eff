import ArgumentParser
import Darkroom

/// An opaque colour, written `white`, `black`, `#rrggbb` or, as cache keys write it, `#ffrrggbb`.
///
/// The `#` may be left out: to a shell, it begins a comment.
struct Background: ExpressibleByArgument {
    let color: Color

    init?(argument: String) {
        guard let color = Self.named(argument.lowercased()) ?? Self.hexadecimal(argument) else { return nil }
        self.color = color
    }

    private static func named(_ name: String) -> Color? {
        switch name {
        case "white": .white
        case "black": Color(red: 0, green: 0, blue: 0)
        default: nil
        }
    }

    private static func hexadecimal(_ text: String) -> Color? {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard digits.utf8.count == 6 || digits.utf8.count == 8, digits.allSatisfy(\.isHexDigit),
            let number = UInt32(digits, radix: 16)
        else { return nil }
        guard digits.utf8.count == 6 || number >> 24 == 255 else { return nil }
        return Color(
            red: UInt8(number >> 16 & 255), green: UInt8(number >> 8 & 255), blue: UInt8(number & 255))
    }
}
