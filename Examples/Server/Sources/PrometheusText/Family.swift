/// All series with one name.
struct Family: Sendable {
    /// The Prometheus type of the series.
    enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    let kind: Kind
    /// The series, keyed by their formatted labels.
    var series: [String: any Series] = [:]

    /// Returns the lines of the family in the text format.
    func text(named name: String) -> String {
        let lines = series.sorted { $0.key < $1.key }.flatMap { $1.lines(named: name, labels: $0) }
        return "# TYPE \(name) \(kind)\n" + lines.map { $0 + "\n" }.joined()
    }
}

/// The values of one name and one set of labels.
protocol Series: AnyObject, Sendable {
    /// Returns the lines of the series, without line breaks.
    func lines(named name: String, labels: String) -> [String]
}

extension Series {
    /// Returns the line of one value.
    func line(_ name: String, labels: String, value: String) -> String {
        labels.isEmpty ? "\(name) \(value)" : "\(name){\(labels)} \(value)"
    }
}
