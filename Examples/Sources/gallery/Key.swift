/// An action triggered by a key.
enum Key: Hashable, Sendable {
    case up, down, pageUp, pageDown, first, last, redraw, quit
}

/// Parses the bytes sent by a terminal into keys, however they are split.
struct KeyParser {
    private static let keys: [String: Key] = [
        "j": .down, "k": .up, " ": .pageDown, "f": .pageDown, "b": .pageUp, "g": .first, "G": .last, "q": .quit,
        "\u{0C}": .redraw, "[A": .up, "[B": .down, "OA": .up, "OB": .down, "[5~": .pageUp, "[6~": .pageDown,
        "[H": .first, "[F": .last, "[1~": .first, "[4~": .last, "OH": .first, "OF": .last,
    ]

    /// The escape sequence received so far, if one has started.
    private var sequence: String?

    /// Returns the key that `byte` completes.
    mutating func key(_ byte: UInt8) -> Key? {
        let character = String(UnicodeScalar(byte))
        guard byte != 0x1B else {
            sequence = ""
            return nil
        }
        guard let begun = sequence else { return Self.keys[character] }
        let text = begun + character
        // Parameters consist of digits and semicolons; anything else ends the sequence.
        let isOpen = begun.isEmpty ? "[O".contains(character) : (0x30...0x3B).contains(byte) && text.utf8.count < 8
        sequence = isOpen ? text : nil
        return isOpen ? nil : Self.keys[text]
    }
}
