package import Darkroom

/// The size of a terminal.
package struct TerminalSize: Hashable, Sendable {
    /// The size in characters.
    package var columns, rows: Int
    /// The size of a character in pixels; `nil` when the terminal does not report it.
    package var cell: PixelSize?

    package init(columns: Int, rows: Int, cell: PixelSize? = nil) {
        self.columns = columns
        self.rows = rows
        self.cell = cell
    }

    /// The size assumed for a terminal that does not report one.
    package static let standard = TerminalSize(columns: 80, rows: 24, cell: nil)
}
