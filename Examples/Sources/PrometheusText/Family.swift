/// All series of one name.
struct Family: Sendable {
    /// What its series are.
    enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    let kind: Kind
    /// The series by their labels, as these are written.
    var series: [String: any Series] = [:]

    /// The lines about them.
    func text(named name: String) -> String {
        let lines = series.sorted { $0.key < $1.key }.flatMap { $1.lines(named: name, labels: $0) }
        return "# TYPE \(name) \(kind)\n" + lines.map { $0 + "\n" }.joined()
    }
}

/// What is counted under one name and one set of labels.
protocol Series: AnyObject, Sendable {
    /// Its lines, without their ends.
    func lines(named name: String, labels: String) -> [String]
}

extension Series {
    /// One line.
    func line(_ name: String, _ labels: String, _ value: String) -> String {
        labels.isEmpty ? "\(name) \(value)" : "\(name){\(labels)} \(value)"
    }
}
