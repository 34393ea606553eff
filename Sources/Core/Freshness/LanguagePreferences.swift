/// The value of an `Accept-Language` field that ranks languages by weight alone: no two have the same one, so the order in
/// which they are written says nothing (RFC 9110, section 12.5.4).
struct LanguagePreferences: Equatable {
    fileprivate struct Member: Equatable {
        let language: String
        /// The weight in thousandths.
        let weight: Int
    }

    /// The languages, the most preferred one first.
    private let members: [Member]

    /// Creates the preferences of a field; `nil` if its order may count, or if it is malformed.
    init?(_ field: String) {
        var members: [Member] = []
        for text in field.asciiLowercased.fields(separatedBy: UInt8(ascii: ",")) {
            guard let member = Member(text) else { return nil }
            members.append(member)
        }
        guard Set(members.map(\.weight)).count == members.count, Set(members.map(\.language)).count == members.count
        else { return nil }
        self.members = members.sorted { $0.weight > $1.weight }
    }

    /// The field with the same meaning, of which there is one.
    var text: String { members.map(\.text).joined(separator: ",") }

    /// Returns whether `language` is the most preferred one.
    func prefer(_ language: String) -> Bool {
        guard let first = members.first, first.weight > 0, !first.language.hasBytes(of: "*") else { return false }
        return first.language.hasBytes(of: language.asciiLowercased)
    }
}

extension LanguagePreferences.Member {
    /// Creates the member of a list, in lowercase; `nil` if it is malformed.
    fileprivate init?(_ text: Substring) {
        let parts = text.fields(separatedBy: UInt8(ascii: ";")).map(\.trimmed)
        guard parts.count <= 2, parts[0].isLanguageRange else { return nil }
        language = String(parts[0])
        guard parts.count == 2 else {
            weight = 1000
            return
        }
        guard parts[1].startsWithBytes(of: "q="), let value = Self.weight(Array(parts[1].utf8.dropFirst(2))) else {
            return nil
        }
        weight = value
    }

    /// The member in a list, with the shortest form of the weight.
    fileprivate var text: String {
        guard weight < 1000 else { return language }
        var digits = String(1000 + weight).utf8.dropFirst()
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        return "\(language);q=0" + (digits.isEmpty ? "" : ".\(Substring(digits))")
    }

    /// Returns the thousandths of a weight (RFC 9110, section 12.4.2).
    private static func weight(_ bytes: [UInt8]) -> Int? {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let first = bytes.first, digits.contains(first), bytes.count <= 5 else { return nil }
        guard bytes.count == 1 || bytes[1] == UInt8(ascii: "."), bytes.dropFirst(2).allSatisfy(digits.contains) else {
            return nil
        }
        let decimals = bytes.dropFirst(2) + Array(repeating: digits.lowerBound, count: 5 - max(2, bytes.count))
        let value = ([first] + decimals).reduce(0) { $0 * 10 + Int($1 - digits.lowerBound) }
        return value <= 1000 ? value : nil
    }
}

extension Substring {
    /// Whether it consists of letters, digits and hyphens, or is `*`.
    fileprivate var isLanguageRange: Bool {
        if hasBytes(of: "*") { return true }
        return !utf8.isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
