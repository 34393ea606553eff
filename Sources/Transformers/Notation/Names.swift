import DarkroomCore

extension String {
    /// What names are compared by: letter case, `-` and `_` do not count.
    var foldedName: String {
        let kept = utf8.lazy.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
        return String(decoding: kept.map(\.asciiLowercased), as: UTF8.self)
    }

    /// A question for who may have meant one of `names`; `nil` when none is near.
    func suggestion(among names: [String]) -> String? {
        let near = names.map { (name: $0, distance: foldedName.distance(to: $0.foldedName)) }
            .min { $0.distance < $1.distance }
        guard let near, near.distance <= Swift.min(2, near.name.utf8.count / 2) else { return nil }
        return "did you mean \(near.name)?"
    }

    /// How many letters must be put in, taken out, changed or swapped with the next one. Only the start of long names counts.
    private func distance(to other: String) -> Int {
        let limit = 32
        let (left, right) = (Array(utf8.prefix(limit)), Array(other.utf8.prefix(limit)))
        var rows = [Array(0...right.count)]
        for (i, letter) in left.enumerated() {
            var row = [i + 1]
            for (j, otherLetter) in right.enumerated() {
                var best = Swift.min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (letter == otherLetter ? 0 : 1))
                if i > 0, j > 0, letter == right[j - 1], left[i - 1] == otherLetter {
                    best = Swift.min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }
}

extension [String] {
    /// The words as a sentence has them: `a, b or c`.
    func listed(_ conjunction: String) -> String {
        guard count > 1, let last else { return joined() }
        return dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }
}
