import ArgumentParser
package import Darkroom

/// How pictures are shown in a terminal.
package enum TerminalStyle: String, CaseIterable, ExpressibleByArgument {
    /// As half blocks: two pixels a character.
    case blocks
    /// As pixels, by the graphics protocol of kitty.
    case kitty

    /// The best that the terminal behind `environment` is known to have.
    ///
    /// Inside of tmux and screen, which hand on what the outer terminal has set, that is always blocks.
    package init(environment: [String: String]) {
        let terminal = environment["TERM"] ?? ""
        let isInside = environment["TMUX"] != nil || ["tmux", "screen"].contains { terminal.hasPrefix($0) }
        let hasGraphics =
            ["xterm-kitty", "xterm-ghostty"].contains(terminal) || environment["KITTY_WINDOW_ID"] != nil
            || ["ghostty", "wezterm"].contains(environment["TERM_PROGRAM"]?.lowercased())
        self = hasGraphics && !isInside ? .kitty : .blocks
    }

    /// What makes text of pictures in this style.
    package func renderer(environment: [String: String], identifier: UInt32) -> any TerminalRenderer {
        switch self {
        case .blocks:
            let hasAllColors = ["truecolor", "24bit"].contains(environment["COLORTERM"]?.lowercased())
            return BlockRenderer(colors: hasAllColors ? .all : .palette)
        case .kitty: return KittyRenderer(identifier: identifier)
        }
    }
}

/// Makes text of pictures.
package protocol TerminalRenderer: Sendable {
    /// The most pixels that so many rows of the terminal show.
    func bounds(_ rowCount: Int, of terminal: TerminalSize) -> PixelSize

    /// `bitmap`, the picture with this `number`, as text; it fits.
    func picture(of bitmap: Bitmap, number: Int, on terminal: TerminalSize) -> TerminalPicture
}

/// Text that draws a picture from the cursor on, and leaves the cursor at the beginning of the row below it.
package struct TerminalPicture: Equatable, Sendable {
    /// Characters and escape sequences.
    package let text: String
    /// How many rows it takes.
    package let rowCount: Int
}
