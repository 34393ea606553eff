import ArgumentParser
package import Darkroom

/// The way images are shown in a terminal.
package enum TerminalStyle: String, CaseIterable, ExpressibleByArgument {
    /// Half blocks: two pixels for each character.
    case blocks
    /// Pixels, with kitty's graphics protocol.
    case kitty

    /// Creates the best style that the terminal described by `environment` is known to support.
    ///
    /// Within tmux and screen, which pass on the variables of the outer terminal, it is always `blocks`.
    package init(environment: [String: String]) {
        let terminal = environment["TERM"] ?? ""
        let isInside = environment["TMUX"] != nil || ["tmux", "screen"].contains { terminal.hasPrefix($0) }
        let hasGraphics =
            ["xterm-kitty", "xterm-ghostty"].contains(terminal) || environment["KITTY_WINDOW_ID"] != nil
            || ["ghostty", "wezterm"].contains(environment["TERM_PROGRAM"]?.lowercased())
        self = hasGraphics && !isInside ? .kitty : .blocks
    }

    /// Returns a renderer for this style.
    package func renderer(environment: [String: String], identifier: UInt32) -> any TerminalRenderer {
        switch self {
        case .blocks:
            let hasAllColors = ["truecolor", "24bit"].contains(environment["COLORTERM"]?.lowercased())
            return BlockRenderer(colors: hasAllColors ? .all : .palette)
        case .kitty: return KittyRenderer(identifier: identifier)
        }
    }
}

/// Renders images as terminal output.
package protocol TerminalRenderer: Sendable {
    /// Returns the largest image size that fits into `rowCount` rows of the terminal.
    func bounds(rowCount: Int, of terminal: TerminalSize) -> PixelSize

    /// Renders `bitmap`, the image number `number`, which must fit.
    func render(_ bitmap: Bitmap, number: Int, on terminal: TerminalSize) -> TerminalImage
}

/// Text that draws an image at the cursor, and leaves the cursor at the start of the row below it.
package struct TerminalImage: Equatable, Sendable {
    /// The characters and escape sequences.
    package let text: String
    /// The number of rows that the image occupies.
    package let rowCount: Int
}
