/// What a person can ask for with a key.
enum Key: Hashable, Sendable {
    case up, down, pageUp, pageDown, first, last, redraw, quit
}

/// Makes keys of the bytes that a terminal sends, in however many pieces they come.
struct KeyParser {
    private static let keys: [String: Key] = [
        "j": .down, "k": .up, " ": .pageDown, "f": .pageDown, "b": .pageUp, "g": .first, "G": .last, "q": .quit,
        "\u{0C}": .redraw, "[A": .up, "[B": .down, "OA": .up, "OB": .down, "[5~": .pageUp, "[6~": .pageDown,
        "[H": .first, "[F": .last, "[1~": .first, "[4~": .last, "OH": .first, "OF": .last,
    ]

    /// What came after an escape character, if one has come.
    private var sequence: String?

    /// The key that `byte` completes.
    mutating func key(_ byte: UInt8) -> Key? {
        let character = String(UnicodeScalar(byte))
        guard byte != 0x1B else {
            sequence = ""
            return nil
        }
        guard let begun = sequence else { return Self.keys[character] }
        let text = begun + character
        // Parameters are digits and semicolons; anything else ends a sequence.
        let isOpen = begun.isEmpty ? "[O".contains(character) : (0x30...0x3B).contains(byte) && text.utf8.count < 8
        sequence = isOpen ? text : nil
        return isOpen ? nil : Self.keys[text]
    }
}
