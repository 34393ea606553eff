import Console
import Darkroom

/// How the terminal is divided: rows of pictures, each with a blank line below it, and a line at the bottom.
struct GalleryLayout: Hashable {
    let terminal: TerminalSize

    /// How many lines a row of the gallery takes.
    let rowHeight: Int

    /// How many rows are in view; at least 1, whatever the terminal.
    let rowCount: Int

    /// Pictures fit into so many columns, and twice as many pixels as these lines.
    let pictureColumns, pictureLines: Int

    init(_ terminal: TerminalSize, rowHeight: Int) {
        self.terminal = terminal
        self.rowHeight = max(1, min(rowHeight, terminal.rows - 1))
        rowCount = max(1, (terminal.rows - 1) / self.rowHeight)
        pictureLines = max(1, self.rowHeight - 1)
        pictureColumns = max(1, min(terminal.columns / 2, pictureLines * 4))
    }

    /// What pictures are shrunk to.
    var thumbnail: Thumbnail { .fit(Double(pictureColumns), Double(pictureLines * 2)) }

    /// How many columns are left for words beside a picture, its mark and its margins.
    var textColumns: Int { max(0, terminal.columns - pictureColumns - 3) }
}
