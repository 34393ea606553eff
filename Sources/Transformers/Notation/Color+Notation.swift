import DarkroomCore

extension Color {
    /// Parses a colour written as `rgb`, `rrggbb` or `aarrggbb`, optionally after `#`, or as a CSS name in any letter
    /// case; `nil` for any other text.
    init?(notation text: String) { self.init(Self.names[text.asciiLowercased] ?? text) }

    /// The basic colours of CSS, a few more, and `transparent`.
    private static let names = [
        "transparent": "00000000", "black": "000000", "silver": "c0c0c0", "gray": "808080", "grey": "808080",
        "white": "ffffff", "maroon": "800000", "red": "ff0000", "purple": "800080", "fuchsia": "ff00ff",
        "magenta": "ff00ff", "green": "008000", "lime": "00ff00", "olive": "808000", "yellow": "ffff00",
        "navy": "000080", "blue": "0000ff", "teal": "008080", "aqua": "00ffff", "cyan": "00ffff", "orange": "ffa500",
    ]
}
