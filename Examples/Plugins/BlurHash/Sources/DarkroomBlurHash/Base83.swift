/// Numbers written in base 83.
enum Base83 {
    private static let characters = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

    /// Returns `number` with the given number of digits, which must suffice.
    static func text(_ number: Int, digits: Int) -> String {
        var (number, text) = (number, [UInt8](repeating: 0, count: digits))
        for index in text.indices.reversed() {
            text[index] = characters[number % 83]
            number /= 83
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Parses a number of a few digits; `nil` if a digit is invalid.
    static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for digit in digits {
            guard let value = characters.firstIndex(of: digit) else { return nil }
            number = number * 83 + value
        }
        return number
    }
}
