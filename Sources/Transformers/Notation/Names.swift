import DarkroomCore

extension String {
    /// The form in which names are compared: without letter case, `-` and `_`.
    var foldedName: String { String(decoding: Array(foldedBytes), as: UTF8.self) }

    /// Returns whether this is the same name as `other`.
    func isSameName(as other: String) -> Bool { foldedBytes.elementsEqual(other.foldedBytes) }

    private var foldedBytes: some Sequence<UInt8> {
        utf8.lazy.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }.map(\.asciiLowercased)
    }

    /// Returns the question "did you mean …?" with the nearest of `names`; `nil` when none is similar.
    func suggestion(among names: [String]) -> String? {
        let near = names.map { (name: $0, distance: foldedName.distance(to: $0.foldedName)) }
            .min { $0.distance < $1.distance }
        guard let near, near.distance <= Swift.min(2, near.name.utf8.count / 2) else { return nil }
        return "did you mean \(near.name)?"
    }

    /// Returns the number of letters to insert, delete, replace or swap with the next one (optimal string alignment).
    /// Only the first 32 bytes count.
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
    /// The words as an enumeration in a sentence: `a, b or c`.
    func listed(_ conjunction: String) -> String {
        guard count > 1, let last else { return joined() }
        return dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }
}
