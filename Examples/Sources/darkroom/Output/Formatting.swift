import Console

extension Int {
    /// The number as a readable size: `512 B`, `4.1 kB`, `2.3 MB`, `1.0 GB`.
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
    /// The number with up to three decimals, without trailing zeros.
    var asNumber: String {
        let rounded = (self * 1000).rounded() / 1000
        return Int(exactly: rounded).map(String.init) ?? "\(rounded)"
    }
}

extension Duration {
    /// The number of seconds.
    var seconds: Double { self / .seconds(1) }

    /// The duration as readable seconds: `0.1 s`.
    var asSeconds: String { "\(seconds.asNumber) s" }

    /// The duration in milliseconds, to the microsecond.
    var milliseconds: Double {
        Double((self / .microseconds(1)).rounded()) / 1000
    }
}

extension String {
    /// Returns the text padded with spaces to `width` characters.
    func padded(to width: Int, onTheLeft: Bool = false) -> String {
        let spaces = String(repeating: " ", count: Swift.max(0, width - count))
        return onTheLeft ? spaces + self : self + spaces
    }

    /// Returns the text padded at the start with `filler` to `width` characters.
    func padded(to width: Int, with filler: Character) -> String {
        String(repeating: filler, count: Swift.max(0, width - count)) + self
    }
}

extension [Source] {
    /// The width of the column of sources.
    var columnWidth: Int { map(\.shownText.count).max() ?? 0 }
}
