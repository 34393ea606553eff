import DarkroomCore

extension Color {
    /// The colour of `rrggbb`, `aarrggbb`, both also after `#`, or of a name of CSS, in any letter case; else `nil`.
    init?(notation text: String) {
        let name = text.lowercased()
        guard let digits = Self.names[name] ?? (name.hasPrefix("#") ? String(name.dropFirst()) : name).hexColor else {
            return nil
        }
        self.init(
            red: UInt8(digits >> 16 & 255), green: UInt8(digits >> 8 & 255), blue: UInt8(digits & 255),
            alpha: UInt8(digits >> 24))
    }

    /// The basic colours of CSS, two more, and the one that is none.
    private static let names: [String: UInt32] = [
        "transparent": 0, "black": 0xFF00_0000, "silver": 0xFFC0_C0C0, "gray": 0xFF80_8080, "grey": 0xFF80_8080,
        "white": 0xFFFF_FFFF, "maroon": 0xFF80_0000, "red": 0xFFFF_0000, "purple": 0xFF80_0080,
        "fuchsia": 0xFFFF_00FF, "magenta": 0xFFFF_00FF, "green": 0xFF00_8000, "lime": 0xFF00_FF00,
        "olive": 0xFF80_8000, "yellow": 0xFFFF_FF00, "navy": 0xFF00_0080, "blue": 0xFF00_00FF, "teal": 0xFF00_8080,
        "aqua": 0xFF00_FFFF, "cyan": 0xFF00_FFFF, "orange": 0xFFFF_A500,
    ]
}

extension String {
    fileprivate var hexColor: UInt32? {
        guard [6, 8].contains(utf8.count), utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else { return nil }
        return UInt32(self, radix: 16).map { utf8.count == 6 ? 0xFF00_0000 | $0 : $0 }
    }
}
