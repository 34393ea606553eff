/// A table of loads with aligned columns.
struct Table {
    private let rows: [[String]]

    /// Creates a table of `loads`. The `server` is removed from URLs and keys to keep lines short.
    init(_ loads: [Load], server: String) {
        let header = ["URL", "from", "bytes", "ms", "key"]
        rows =
            [header]
            + loads.map { load in
                [
                    load.source.dropping(server), load.origin ?? "–", load.bytes.map(String.init) ?? "–",
                    "\((load.milliseconds * 10).rounded() / 10)", load.key?.dropping(server) ?? "–",
                ]
            }
    }

    /// The lines of the table, with numbers right-aligned.
    var text: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = row.indices.map { column in
                let spaces = String(repeating: " ", count: widths[column] - row[column].count)
                let isNumber = column == 2 || column == 3
                return isNumber ? spaces + row[column] : row[column] + (column == row.count - 1 ? "" : spaces)
            }
            return "  " + cells.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}

extension String {
    fileprivate func dropping(_ prefix: String) -> String {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
    }
}
