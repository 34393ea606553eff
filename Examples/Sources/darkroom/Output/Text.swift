import Console

extension Int {
    /// As a person reads it: `512 B`, `4.1 kB`, `2.3 MB`, `1.0 GB`.
    var asByteCount: String {
        switch self {
        case ..<1000: "\(self) B"
        case ..<1_000_000: "\(Double(self / 100) / 10) kB"
        case ..<1_000_000_000: "\(Double(self / 100_000) / 10) MB"
        default: "\(Double(self / 100_000_000) / 10) GB"
        }
    }
}

extension Double {
    /// With up to three digits behind the point, and no zeros at the end.
    var asNumber: String {
        let rounded = (self * 1000).rounded() / 1000
        return Int(exactly: rounded).map(String.init) ?? "\(rounded)"
    }

    /// As seconds a person reads: `0.1 s`.
    var asSeconds: String { "\(asNumber) s" }
}

extension Duration {
    /// Milliseconds to a thousandth.
    var milliseconds: Double {
        Double((self / .microseconds(1)).rounded()) / 1000
    }
}

extension String {
    /// With spaces up to `width` characters.
    func padded(to width: Int, onTheLeft: Bool = false) -> String {
        let spaces = String(repeating: " ", count: Swift.max(0, width - count))
        return onTheLeft ? spaces + self : self + spaces
    }

    /// With as many of `filler` before it as make it `width` characters long.
    func padded(to width: Int, with filler: Character) -> String {
        String(repeating: filler, count: Swift.max(0, width - count)) + self
    }
}

extension [Source] {
    /// How wide the column of sources is.
    var columnWidth: Int { map(\.shownText.count).max() ?? 0 }
}
