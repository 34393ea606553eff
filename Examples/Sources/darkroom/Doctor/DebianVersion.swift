/// A version of a Debian package, ordered as by dpkg (Debian Policy Manual, section 5.6.12).
struct DebianVersion: Comparable {
    private let epoch: Int
    private let upstream: [UInt8]
    private let revision: [UInt8]

    init(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        let rest = colon.map { bytes[($0 + 1)...] } ?? bytes[...]
        let hyphen = rest.lastIndex(of: UInt8(ascii: "-"))
        epoch = colon.flatMap { Int(String(decoding: bytes[..<$0], as: UTF8.self)) } ?? 0
        upstream = Array(hyphen.map { rest[..<$0] } ?? rest)
        revision = hyphen.map { Array(rest[($0 + 1)...]) } ?? []
    }

    static func < (left: DebianVersion, right: DebianVersion) -> Bool { left.order(to: right) < 0 }

    static func == (left: DebianVersion, right: DebianVersion) -> Bool { left.order(to: right) == 0 }

    /// Returns a negative number, zero or a positive number, as this version is lower, equal or higher.
    private func order(to other: DebianVersion) -> Int {
        if epoch != other.epoch { return epoch < other.epoch ? -1 : 1 }
        let order = Self.order(of: upstream[...], to: other.upstream[...])
        return order != 0 ? order : Self.order(of: revision[...], to: other.revision[...])
    }

    /// Compares texts and numbers in turn.
    private static func order(of left: ArraySlice<UInt8>, to right: ArraySlice<UInt8>) -> Int {
        var (left, right) = (left, right)
        while !left.isEmpty || !right.isEmpty {
            while [left, right].contains(where: { $0.first.map { !isDigit($0) } ?? false }) {
                let (first, second) = (weight(of: left.first), weight(of: right.first))
                if first != second { return first - second }
                (left, right) = (left.dropFirst(), right.dropFirst())
            }
            let (first, second) = (takeNumber(&left), takeNumber(&right))
            if first.count != second.count { return first.count - second.count }
            if first != second { return first.lexicographicallyPrecedes(second) ? -1 : 1 }
        }
        return 0
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// A tilde is below the end, which is equal to a digit; letters are below all other characters.
    private static func weight(of byte: UInt8?) -> Int {
        guard let byte, !isDigit(byte) else { return 0 }
        if byte == UInt8(ascii: "~") { return -1 }
        let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        return isLetter ? Int(byte) : Int(byte) + 256
    }

    private static func takeNumber(_ text: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let digits = text.prefix { isDigit($0) }
        text = text.dropFirst(digits.count)
        return digits.drop { $0 == UInt8(ascii: "0") }
    }
}
