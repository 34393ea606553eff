import DarkroomCore

/// The name of a file that is still being written: a dot, and a number drawn by lot.
struct TemporaryName {
    /// As it stands in the folder.
    let text: String

    /// Another one each time.
    init() { text = ".\(UInt64.random(in: 1 << 60 ... .max))" }

    /// `nil` for the name of any other file. Earlier caches drew smaller numbers too, of which nearly all have so many digits.
    init?(_ text: String) {
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "."), (16...20).contains(digits.count),
            digits.allSatisfy(\.isASCIIDigit)
        else { return nil }
        self.text = text
    }
}
