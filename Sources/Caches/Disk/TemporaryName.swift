import DarkroomCore

/// The name of a file that is being written: a dot followed by a random number.
struct TemporaryName {
    /// The name in the folder.
    let text: String

    /// Creates a new random name.
    init() { text = ".\(UInt64.random(in: 1 << 60 ... .max))" }

    /// Returns `nil` if `text` is not the name of a temporary file. Earlier caches also used smaller numbers, nearly
    /// all of which have as many digits.
    init?(_ text: String) {
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "."), (16...20).contains(digits.count),
            digits.allSatisfy(\.isASCIIDigit)
        else { return nil }
        self.text = text
    }
}
