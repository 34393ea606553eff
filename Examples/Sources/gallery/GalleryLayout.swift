import Console
import Darkroom

/// The division of the terminal: rows of images, each followed by a blank line, and a status line at the bottom.
struct GalleryLayout: Hashable {
    let terminal: TerminalSize

    /// The number of terminal lines for each row of the gallery.
    let rowHeight: Int

    /// The number of visible rows; at least 1.
    let rowCount: Int

    /// The space for an image: columns, and lines of two pixels each.
    let pictureColumns, pictureLines: Int

    init(_ terminal: TerminalSize, rowHeight: Int) {
        self.terminal = terminal
        self.rowHeight = max(1, min(rowHeight, terminal.rows - 1))
        rowCount = max(1, (terminal.rows - 1) / self.rowHeight)
        pictureLines = max(1, self.rowHeight - 1)
        pictureColumns = max(1, min(terminal.columns / 2, pictureLines * 4))
    }

    /// The thumbnail that images are scaled down to.
    var thumbnail: Thumbnail { .fit(Double(pictureColumns), Double(pictureLines * 2)) }

    /// The number of columns left for text beside an image, its selection mark and its margins.
    var textColumns: Int { max(0, terminal.columns - pictureColumns - 3) }
}
