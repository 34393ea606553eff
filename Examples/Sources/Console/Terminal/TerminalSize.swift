package import Darkroom

/// How much a terminal shows.
package struct TerminalSize: Hashable, Sendable {
    /// Characters.
    package var columns, rows: Int
    /// The pixels of one character; `nil` when the terminal does not tell.
    package var cell: PixelSize?

    package init(columns: Int, rows: Int, cell: PixelSize? = nil) {
        self.columns = columns
        self.rows = rows
        self.cell = cell
    }

    /// That of a terminal which does not tell its size.
    package static let standard = TerminalSize(columns: 80, rows: 24, cell: nil)
}
