import ArgumentParser
import Darkroom

/// An opaque colour, written `white`, `black`, `#rrggbb`, or `#ffrrggbb` as in cache keys.
///
/// The `#`, which starts a comment in shells, may be omitted.
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
        let isShort = text.utf8.count { $0 != UInt8(ascii: "#") } < 6
        guard !isShort, let color = Color(text), color.alpha == 255 else { return nil }
        return color
    }
}
