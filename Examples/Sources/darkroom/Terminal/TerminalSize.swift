import Darkroom

/// How much a terminal shows.
struct TerminalSize: Hashable, Sendable {
    /// Characters.
    var columns, rows: Int
    /// The pixels of one character; `nil` when the terminal does not tell.
    var cell: PixelSize?

    /// That of a terminal which does not tell its size.
    static let standard = TerminalSize(columns: 80, rows: 24, cell: nil)
}
