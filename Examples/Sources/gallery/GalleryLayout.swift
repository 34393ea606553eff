import Console
import Darkroom

/// The division of the terminal: rows of images, each followed by a blank line, and a status line at the bottom.
struct GalleryLayout: Hashable {
    let terminal: TerminalSize

    /// The number of terminal lines for each row of the gallery.
    let rowHeight: Int

    /// The row height before it was limited to the height of the terminal.
    private let requestedRowHeight: Int

    /// The number of visible rows; at least 1.
    let rowCount: Int

    /// The space for an image: columns, and lines of two pixels each.
    let imageColumns, imageLines: Int

    /// Creates the layout for `terminal`, whose height limits `rowHeight`.
    init(_ terminal: TerminalSize, rowHeight: Int) {
        self.terminal = terminal
        requestedRowHeight = rowHeight
        self.rowHeight = max(1, min(rowHeight, terminal.rows - 1))
        rowCount = max(1, (terminal.rows - 1) / self.rowHeight)
        imageLines = max(1, self.rowHeight - 1)
        imageColumns = max(1, min(terminal.columns / 2, imageLines * 4))
    }

    /// Returns the layout for another terminal size.
    func resized(to terminal: TerminalSize) -> GalleryLayout {
        GalleryLayout(terminal, rowHeight: requestedRowHeight)
    }

    /// The thumbnail that images are scaled down to.
    var thumbnail: Thumbnail { .fit(Double(imageColumns), Double(imageLines * 2)) }

    /// The number of columns left for text beside an image, its selection mark and its margins.
    var textColumns: Int { max(0, terminal.columns - imageColumns - 3) }
}
