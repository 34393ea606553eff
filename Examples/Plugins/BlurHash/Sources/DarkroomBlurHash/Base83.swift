/// Numbers as text of 83 characters.
enum Base83 {
    private static let characters = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

    /// `number` with this many digits, which are enough for it.
    static func text(_ number: Int, digits: Int) -> String {
        var (number, text) = (number, [UInt8](repeating: 0, count: digits))
        for index in text.indices.reversed() {
            text[index] = characters[number % 83]
            number /= 83
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The number of a few digits; `nil` when one is none.
    static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for digit in digits {
            guard let value = characters.firstIndex(of: digit) else { return nil }
            number = number * 83 + value
        }
        return number
    }
}
